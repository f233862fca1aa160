import { expect } from 'chai'
import fc from 'fast-check'
import { foldedPassword } from '../../../src/domain/identity/folded-password.js'

const text = fc.string({ unit: 'binary' })

describe('a folded password', () => {
  for (const [form, written] of Object.entries({
    'in capitals': 'PASSWORD',
    'in any case': 'pAsSwOrD',
    'in full width': '\uff30\uff41\uff53\uff53\uff57\uff4f\uff52\uff44',
    'with a long s': 'pa\u017f\u017fword',
    'in letters of mathematics': '\u{1d429}\u{1d41a}\u{1d42c}\u{1d42c}\u{1d430}\u{1d428}\u{1d42b}\u{1d41d}',
    'with a soft hyphen': 'pass\u00adword',
    'with a zero-width space': 'pass\u200bword',
  }))
    it(`is the same ${form}`, () => {
      expect(foldedPassword(written)).to.equal('password')
    })

  it('is the same composed and decomposed, with ß and ss, and with either sigma', () => {
    expect(foldedPassword('ZO\u00cb')).to.equal(foldedPassword('zoe\u0308'))
    expect(foldedPassword('Stra\u00dfe')).to.equal('strasse')
    expect(foldedPassword('\u039f\u0394\u039f\u03a3')).to.equal('\u03bf\u03b4\u03bf\u03c3')
    expect(foldedPassword('\u039f\u0394\u039f\u03a3')).to.equal(foldedPassword('\u03bf\u03b4\u03bf\u03c3'))
  })

  it('keeps other differences between passwords', () => {
    expect(foldedPassword('pass word')).to.equal('pass word')
    expect(foldedPassword('p\u00e4ssword')).to.not.equal('password')
    expect(foldedPassword('\u0440assword')).to.not.equal('password')
  })

  it('is unchanged when it is folded again', () => {
    fc.assert(fc.property(text, (one) => foldedPassword(foldedPassword(one)) === foldedPassword(one)))
  })

  it('is the same for any normal form and case', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (one, form) => {
        const folded = foldedPassword(one)
        expect(foldedPassword(one.normalize(form))).to.equal(folded)
        expect(foldedPassword(folded.toUpperCase())).to.equal(folded)
      }),
    )
  })
})
