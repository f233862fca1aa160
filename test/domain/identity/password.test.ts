import { expect } from 'chai'
import fc from 'fast-check'
import {
  emailWords,
  foldedPassword,
  isMostlyContext,
  nameWords,
  newPassword,
  presentedPassword,
} from '../../../src/domain/identity/password.js'

const MIN = 8
const LENGTH = { ok: false, type: 'Length', rule: 'must have 8 to 1024 characters' }
describe('a password', () => {
  it('is the same in composed and decomposed form, and is otherwise not changed', () => {
    expect(presentedPassword('e\u0301ve')).to.equal('\u00e9ve')
    for (const text of [' leading and trailing ', 'UPPER lower', '\ttab\n', 'a\u200Bb']) {
      expect(presentedPassword(text)).to.equal(text)
    }
    expect(presentedPassword('ﬁ')).to.equal('fi')
  })

  it('is never accepted, and cannot be set, if it contains U+0000', () => {
    for (const text of ['\u0000', '\u000012345678', 'secret\u0000suffix']) {
      expect(presentedPassword(text)).to.equal(undefined)
      const rule = 'must not contain U+0000'
      expect(newPassword(`${text}12345678`, MIN)).to.deep.equal({ ok: false, type: 'Format', rule })
    }
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
    // Four code units that normalize to one character.
    const composed = '\u03c9\u0314\u0342\u0345'.repeat(1024)
    expect(newPassword(composed, MIN)).to.deep.equal({ ok: true, value: '\u1fa7'.repeat(1024) })
    expect(presentedPassword(composed)).to.equal('\u1fa7'.repeat(1024))
    expect(newPassword('a'.repeat(1_000_000), MIN)).to.deep.equal(LENGTH)
    expect(presentedPassword('a'.repeat(1_000_000))).to.equal(undefined)
  })

  it('has the configured minimum length and is not subject to any other rule', () => {
    expect(newPassword('a'.repeat(11), 12).ok).to.equal(false)
    expect(newPassword('a'.repeat(12), 12).ok).to.equal(true)
    expect(newPassword('aaaaaaaa', MIN).ok).to.equal(true)
    expect(newPassword('        ', MIN).ok).to.equal(true)
  })

  it('cannot be set if it is not well-formed Unicode', () => {
    expect(newPassword('\ud83d and more', MIN)).to.deep.equal({
      ok: false,
      type: 'Format',
      rule: 'must be well-formed Unicode',
    })
  })
})

describe('a folded password', () => {
  const text = fc.string({ unit: 'binary' })

  for (const [form, written] of Object.entries({
    'in capitals': 'PASSWORD',
    'in any case': 'pAsSwOrD',
    'in full width': '\uff30\uff41\uff53\uff53\uff57\uff4f\uff52\uff44',
    'with a long s': 'pa\u017f\u017fword',
    'in letters of mathematics': '\u{1d429}\u{1d41a}\u{1d42c}\u{1d42c}\u{1d430}\u{1d428}\u{1d42b}\u{1d41d}',
    'with a soft hyphen': 'pass\u00adword',
    'with a zero-width space': 'pass\u200bword',
  }))
    it(`equals the folded form of "password" if spelled ${form}`, () => {
      expect(foldedPassword(written)).to.equal('password')
    })

  it('is the same whether composed or decomposed, with ß or ss, and with either form of the letter sigma', () => {
    expect(foldedPassword('ZO\u00cb')).to.equal(foldedPassword('zoe\u0308'))
    expect(foldedPassword('Stra\u00dfe')).to.equal('strasse')
    expect(foldedPassword('\u039f\u0394\u039f\u03a3')).to.equal('\u03bf\u03b4\u03bf\u03c3')
  })

  it('preserves all other differences between passwords', () => {
    expect(foldedPassword('pass word')).to.equal('pass word')
    expect(foldedPassword('p\u00e4ssword')).to.not.equal('password')
    expect(foldedPassword('\u0440assword')).to.not.equal('password')
  })

  it('is the same for any Unicode normalization form and letter case', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (one, form) => {
        const folded = foldedPassword(one)
        expect(foldedPassword(one.normalize(form))).to.equal(folded)
        expect(foldedPassword(folded.toUpperCase())).to.equal(folded)
      }),
    )
  })
})

const isMostly = (password: string, ...words: readonly string[]) =>
  isMostlyContext(foldedPassword(password), words)

describe('context words for passwords', () => {
  it('include the email and its parts, but neither short words nor the top-level domain', () => {
    expect(emailWords('Ada.Lovelace-1815@mail.example.com')).to.have.members([
      ...['ada.lovelace-1815@mail.example.com', 'ada.lovelace-1815', 'ada', 'lovelace', 'mail.example.com'],
      ...['mail', 'example'],
    ])
    expect(emailWords('ada')).to.deep.equal(['ada'])
    expect(emailWords('jo@x.io')).to.have.members(['jo@x.io', 'x.io'])
    expect(emailWords('10001@qq.com')).to.have.members(['10001@qq.com', '10001', 'qq.com'])
  })

  it('are the service name and the labels of the host', () => {
    expect(nameWords('Kennel')).to.deep.equal(['kennel'])
    expect(nameWords('app.my-pets.example')).to.deep.equal(['app.my-pets.example', 'app', 'pets'])
    expect(nameWords('')).to.deep.equal([])
  })

  it('are folded like the password', () => {
    expect(emailWords('stra\u00dfe@example.com')).to.include('strasse')
    expect(isMostly('STRASSE-77', ...emailWords('stra\u00dfe@example.com'))).to.equal(true)
  })
})

describe('a password that consists mostly of context words', () => {
  const WORDS = [...emailWords('ada.lovelace@pets.example'), ...nameWords('kennel')]

  for (const password of [
    ...['Ada Lovelace 1815', '123kennel!123', 'pets-kennel-2026', 'abc-kennel', 'k\u200bennel12345'],
  ])
    it(`is ${JSON.stringify(password)}`, () => {
      expect(isMostly(password, ...WORDS)).to.equal(true)
    })

  for (const password of [
    ...['!!!!!!!!!!!!', 'canada-is-far', 'abcd-kennel', 'kennel \u72ac\u732b\u9ce5\u9b5a', 'kenne1-kenne1'],
  ])
    it(`is not ${JSON.stringify(password)}`, () => {
      expect(isMostly(password, ...WORDS)).to.equal(false)
    })

  it('is detected by the longest context words, in any order', () => {
    const words = ['ada', 'adalovelace']
    for (const known of [words, words.toReversed()]) expect(isMostly('adalovelace1', ...known)).to.equal(true)
  })

  it('is accepted if a context word appears only after another context word is removed', () => {
    expect(isMostly('kenlovelacenel', ...WORDS)).to.equal(false)
  })
})
