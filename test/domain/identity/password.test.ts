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
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('a', '\u0000', 'e\u0301', '\ud83d', 'ﬁ', ' '), maxLength: 20 }),
)

describe('a password', () => {
  it('is normalized in the same way when it is set and when it is entered', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const set = newPassword(text, MIN)
        if (set.ok) expect(presentedPassword(text)).to.equal(set.value)
      }),
      { numRuns: 1000 },
    )
  })

  it('is the same in composed and decomposed form, and is otherwise not changed', () => {
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

  it('is never accepted, and cannot be set, if it contains U+0000', () => {
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

  it('does not change if it is folded again', () => {
    fc.assert(fc.property(text, (one) => foldedPassword(foldedPassword(one)) === foldedPassword(one)))
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
    ...['ada.lovelace@pets.example', 'Ada Lovelace 1815', 'lovelace!!!!', '123kennel123', 'kennelkennel'],
    ...[
      'pets-kennel-2026',
      'abc-kennel',
      '\uff2b\uff25\uff2e\uff2e\uff25\uff2c\uff11\uff12',
      'k\u200bennel12345',
    ],
  ])
    it(`is ${JSON.stringify(password)}`, () => {
      expect(isMostly(password, ...WORDS)).to.equal(true)
    })

  for (const password of [
    ...['correct horse battery', '98765432123', '!!!!!!!!!!!!', 'kennel of seven hounds', 'canada-is-far'],
    ...['abcd-kennel', 'kennel \u72ac\u732b\u9ce5\u9b5a', 'kenne1-kenne1'],
  ])
    it(`is not ${JSON.stringify(password)}`, () => {
      expect(isMostly(password, ...WORDS)).to.equal(false)
    })

  it('is detected regardless of digits and punctuation around and within the words', () => {
    const decoration = fc.string({
      unit: fc.constantFrom(...Array.from('0123456789 !"#$%&/()=?+*~-_.,;:<>|^\u00a7\u20ac')),
    })
    const words = fc.array(fc.constantFrom('ada', 'lovelace', 'kennel', 'pets'), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(words, decoration, decoration, (parts, between, around) => {
        expect(isMostly(`${around}${parts.join(between)}${around}`, ...WORDS)).to.equal(true)
      }),
    )
  })

  it('is detected by the longest matching context words, regardless of their order', () => {
    const words = ['ada', 'adalovelace']
    for (const known of [words, words.toReversed()]) expect(isMostly('adalovelace1', ...known)).to.equal(true)
  })

  it('is accepted if a context word appears only after another context word is removed', () => {
    expect(isMostly('kenlovelacenel', ...WORDS)).to.equal(false)
  })

  it('is accepted if it contains no context word or if it contains at least four other letters', () => {
    const own = fc.string({ unit: fc.constantFrom(...Array.from('bghjqwxyz')), minLength: 4 })
    fc.assert(
      fc.property(
        own,
        fc.string({ unit: fc.constantFrom(...Array.from('0123456789 !.')) }),
        (letters, decoration) => {
          expect(isMostly(`${decoration}${letters}`, ...WORDS)).to.equal(false)
          expect(isMostly(`kennel${decoration}${letters}`, ...WORDS)).to.equal(false)
        },
      ),
    )
  })
})
