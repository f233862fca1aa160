import { expect } from 'chai'
import fc from 'fast-check'
import {
  characters,
  isFreeOfFormatting,
  isPlainText,
  plainText,
  isPositiveInteger,
  positiveIntegerIn,
} from '../../src/domain/parsed.js'

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }))

describe('the length of a string', () => {
  it('is counted in code points, as in JSON Schema', () => {
    fc.assert(fc.property(anyText, (text) => characters(text) === Array.from(text).length))
    expect(characters('🐕é')).to.equal(2)
  })
})

describe('plain text', () => {
  it('has no control characters and no unpaired surrogates', () => {
    for (const wrong of ['\u0000', '\t', '\n', '\u007f', '\u0085', '\ud83d', '\udc15'])
      expect(isPlainText(`a${wrong}b`), JSON.stringify(wrong)).to.equal(false)
    for (const fine of ['', ' ', 'é', '🐕', '\u200b']) expect(isPlainText(fine)).to.equal(true)
    const half = fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code))
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 })
    fc.assert(fc.property(letters, half, letters, (...parts) => !isPlainText(parts.join(''))))
  })

  it('can contain invisible characters unless format characters are excluded', () => {
    for (const unseen of ['\u200b', '\u202e', '\ufeff', '\u00ad'])
      expect(isFreeOfFormatting(`a${unseen}b`), JSON.stringify(unseen)).to.equal(false)
    for (const seen of ['a b', '🐕', 'e\u0301']) expect(isFreeOfFormatting(seen)).to.equal(true)
  })

  it('is checked for its length before its characters if there is a limit', () => {
    expect(plainText('🐕🐕', 2)).to.deep.equal({ ok: true, value: '🐕🐕' })
    const tooLong = { ok: false, type: 'Length', rule: 'must have 1 to 2 characters' }
    for (const wrong of ['', 'abc', '\n\n\n']) expect(plainText(wrong, 2)).to.deep.equal(tooLong)
    const control = { ok: false, type: 'Format', rule: 'must not contain control characters' }
    expect(plainText('a\n', 2)).to.deep.equal(control)
  })

  it('is accepted unchanged if it is plain and short enough, and errors never contain the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = plainText(text, 200)
        const count = Array.from(text).length
        expect(parsed.ok).to.equal(count >= 1 && count <= 200 && !/\p{Cc}|\p{Cs}/u.test(text))
        if (parsed.ok) expect(parsed.value).to.equal(text)
        else if (text.length > 8) expect(parsed.rule).to.not.include(text)
      }),
    )
  })
})

describe('a positive integer', () => {
  it('is a safe integer above 0', () => {
    expect([1, 2 ** 53 - 1].every(isPositiveInteger)).to.equal(true)
    expect([0, -1, 1.5, 2 ** 53, Number.NaN, '1', null].some(isPositiveInteger)).to.equal(false)
  })
})

describe('a positive integer in a string', () => {
  it('is accepted only in plain decimal form', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (value) => {
        expect(positiveIntegerIn(String(value))).to.equal(value)
      }),
    )
    const beyond = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }).map(String)
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String), beyond), (text) => {
        const value = positiveIntegerIn(text)
        expect(value === undefined || (String(value) === text && isPositiveInteger(value))).to.equal(true)
      }),
    )
    for (const text of [
      ...['', '0', '01', '-1', '+1', ' 1', '1 ', '1\n', '\n1', '1\0', '1.0', '1e3', '0x1', '1n', '1_0', '١'],
      ...['9007199254740992', '9'.repeat(17), 'x'],
    ])
      expect(positiveIntegerIn(text), text).to.equal(undefined)
  })
})
