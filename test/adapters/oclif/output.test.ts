import { expect } from 'chai'
import fc from 'fast-check'
import { jsonLine, shownLines, shownText } from '../../../src/adapters/oclif/output.js'

const ACTED_ON = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('a', '"', '\\', '\u001b', '\u009b', '\u202e', '\u200b', '\u{e0001}', '\ud83d'),
  }),
)

describe('text written to a terminal', () => {
  it('contains no control character that a terminal would interpret', () => {
    expect(shownText('a\u001b[31mb')).to.equal('a\\u001b[31mb')
    expect(shownText('\u009b2J')).to.equal('\\u009b2J')
    expect(shownText('ada\u202emoc.elpmaxe')).to.equal('ada\\u202emoc.elpmaxe')
    expect(shownText('a\u200bb\u{e0061}\n')).to.equal('a\\u200bb\\udb40\\udc61\\u000a')
    fc.assert(fc.property(anyText, (text) => !ACTED_ON.test(shownText(text))))
  })

  it('retains all other characters', () => {
    for (const text of ['ada@example.com', 'Élodie 🐕 – «Zürich» 漢字', ''])
      expect(shownText(text)).to.equal(text)
  })

  it('retains the line breaks of multi-line text', () => {
    expect(shownLines('one\ntwo\r\u001b[1A\n')).to.equal('one\ntwo\\u000d\\u001b[1A\n')
  })

  it('has the same value as the original text if it is a line of JSON', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          // No backslashes, because of a V8 bug: after an object with the name `k\`, JSON.parse in Node 24 and 26 reads
          // the name "k\u202e" as `k\`.
          anyText.map((key) => `k${key.replaceAll('\\', '')}`),
          anyText,
        ),
        (value) => {
          const line = jsonLine(value)
          expect(JSON.parse(line)).to.deep.equal({ ...value })
          expect(line).to.not.match(ACTED_ON)
        },
      ),
    )
  })
})
