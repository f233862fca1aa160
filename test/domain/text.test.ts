import { expect } from 'chai'
import fc from 'fast-check'
import { characters, isFreeOfFormatting, isPlainText, plainText } from '../../src/domain/text.js'

describe('the length of a text', () => {
  it('is counted in code points, as JSON Schema counts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(characters(text)).to.equal(Array.from(text).length)
      }),
    )
    expect(characters('🐕é')).to.equal(2)
  })
})

describe('plain text', () => {
  it('has no control characters and no halves of characters', () => {
    for (const wrong of ['\u0000', '\t', '\n', '\u007f', '\u0085', '\ud83d', '\udc15'])
      expect(isPlainText(`a${wrong}b`), JSON.stringify(wrong)).to.equal(false)
    for (const fine of ['', ' ', 'é', '🐕', '\u200b']) expect(isPlainText(fine)).to.equal(true)
  })

  it('may have invisible characters; free of formatting it has none', () => {
    for (const unseen of ['\u200b', '\u202e', '\ufeff', '\u00ad'])
      expect(isFreeOfFormatting(`a${unseen}b`), JSON.stringify(unseen)).to.equal(false)
    for (const seen of ['a b', '🐕', 'e\u0301']) expect(isFreeOfFormatting(seen)).to.equal(true)
  })

  it('of a bounded length is judged by its length first', () => {
    expect(plainText('🐕🐕', 2)).to.deep.equal({ ok: true, value: '🐕🐕' })
    for (const wrong of ['', 'abc', '\n\n\n'])
      expect(plainText(wrong, 2)).to.deep.equal({
        ok: false,
        type: 'Length',
        rule: 'must have 1 to 2 characters',
      })
    expect(plainText('a\n', 2)).to.deep.equal({
      ...{ ok: false, type: 'Format', rule: 'must not contain control characters' },
    })
  })
})
