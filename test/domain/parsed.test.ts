import { expect } from 'chai'
import {
  characters,
  isFreeOfFormatting,
  isPlainText,
  plainText,
  isPositiveInteger,
  positiveIntegerIn,
} from '../../src/domain/parsed.js'

describe('the length of a string', () => {
  it('is counted in code points, as in JSON Schema', () => {
    expect(characters('🐕é')).to.equal(2)
  })
})

describe('plain text', () => {
  it('has no control characters and no unpaired surrogates', () => {
    for (const wrong of ['\u0000', '\t', '\n', '\u007f', '\u0085', '\ud83d', '\udc15'])
      expect(isPlainText(`a${wrong}b`), JSON.stringify(wrong)).to.equal(false)
    for (const fine of ['', ' ', 'é', '🐕', '\u200b']) expect(isPlainText(fine)).to.equal(true)
  })

  it('can contain invisible characters unless format characters are excluded', () => {
    for (const unseen of ['\u200b', '\u202e', '\ufeff', '\u00ad'])
      expect(isFreeOfFormatting(`a${unseen}b`), JSON.stringify(unseen)).to.equal(false)
    for (const seen of ['a b', '🐕', 'e\u0301']) expect(isFreeOfFormatting(seen)).to.equal(true)
  })

  it('has its length checked before its characters if the length is limited', () => {
    expect(plainText('🐕🐕', 2)).to.deep.equal({ ok: true, value: '🐕🐕' })
    const tooLong = { ok: false, type: 'Length', rule: 'must have 1 to 2 characters' }
    for (const wrong of ['', 'abc', '\n\n\n']) expect(plainText(wrong, 2)).to.deep.equal(tooLong)
    const control = { ok: false, type: 'Format', rule: 'must not contain control characters' }
    expect(plainText('a\n', 2)).to.deep.equal(control)
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
    for (const value of [1, 10, 2 ** 53 - 1]) expect(positiveIntegerIn(String(value))).to.equal(value)
    for (const text of [
      ...['', '0', '01', '-1', '+1', ' 1', '1 ', '1\n', '\n1', '1\0', '1.0', '1e3', '0x1', '1n', '1_0', '١'],
      ...['9007199254740992', '9'.repeat(17), 'x'],
    ])
      expect(positiveIntegerIn(text), text).to.equal(undefined)
  })
})
