import { expect } from 'chai'
import fc from 'fast-check'
import { newPassword, presentedPassword } from '../../../src/domain/identity/password.js'

const MIN = 8
const LENGTH = { ok: false, type: 'Length', rule: 'must have 8 to 1024 characters' }
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('a', '\u0000', 'e\u0301', '\ud83d', 'ﬁ', ' '), maxLength: 20 }),
)

describe('a password', () => {
  it('that can be set can be presented, and is then the same', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const set = newPassword(text, MIN)
        if (set.ok) expect(presentedPassword(text)).to.equal(set.value)
      }),
      { numRuns: 1000 },
    )
  })

  it('is the same composed and decomposed, and otherwise exactly as sent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(presentedPassword(text.normalize('NFD'))).to.equal(presentedPassword(text.normalize('NFC')))
      }),
    )
    for (const text of [' leading and trailing ', 'UPPER lower', '\ttab\n', 'a\u200Bb']) {
      expect(presentedPassword(text)).to.equal(text)
    }
    expect(presentedPassword('ﬁ')).to.equal('fi')
  })

  it('with U+0000 never verifies and cannot be set', () => {
    const part = fc.string({ maxLength: 20 })
    fc.assert(
      fc.property(part, part, (before, after) => {
        expect(presentedPassword(`${before}\u0000${after}`)).to.equal(undefined)
        expect(newPassword(`${before}\u0000${after}12345678`, MIN)).to.deep.equal({
          ok: false,
          type: 'Format',
          rule: 'must not contain U+0000',
        })
      }),
    )
  })

  it('has 8 to 1024 characters, counted in code points', () => {
    for (const one of ['a', 'é', '🐕']) {
      expect(newPassword(one.repeat(7), MIN)).to.deep.equal(LENGTH)
      expect(newPassword(one.repeat(8), MIN).ok).to.equal(true)
      expect(newPassword(one.repeat(1024), MIN).ok).to.equal(true)
      expect(newPassword(one.repeat(1025), MIN)).to.deep.equal(LENGTH)
      expect(presentedPassword(one.repeat(1024))).to.equal(one.repeat(1024))
      expect(presentedPassword(one.repeat(1025))).to.equal(undefined)
    }
    // Four code units, which are normalised to one character.
    const composed = '\u03c9\u0314\u0342\u0345'.repeat(1024)
    expect(newPassword(composed, MIN)).to.deep.equal({ ok: true, value: '\u1fa7'.repeat(1024) })
    expect(presentedPassword(composed)).to.equal('\u1fa7'.repeat(1024))
    expect(newPassword('a'.repeat(1_000_000), MIN)).to.deep.equal(LENGTH)
    expect(presentedPassword('a'.repeat(1_000_000))).to.equal(undefined)
  })

  it('has as many characters as the configuration asks for, and no other rule', () => {
    expect(newPassword('a'.repeat(11), 12).ok).to.equal(false)
    expect(newPassword('a'.repeat(12), 12).ok).to.equal(true)
    expect(newPassword('aaaaaaaa', MIN).ok).to.equal(true)
    expect(newPassword('        ', MIN).ok).to.equal(true)
  })

  it('that is not well-formed Unicode cannot be set', () => {
    expect(newPassword('\ud83d and more', MIN)).to.deep.equal({
      ok: false,
      type: 'Format',
      rule: 'must be well-formed Unicode',
    })
  })
})
