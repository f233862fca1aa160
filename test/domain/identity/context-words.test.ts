import { expect } from 'chai'
import fc from 'fast-check'
import { emailWords, isMostlyContext, nameWords } from '../../../src/domain/identity/context-words.js'
import { foldedPassword } from '../../../src/domain/identity/folded-password.js'

const isMostly = (password: string, ...words: readonly string[]) =>
  isMostlyContext(foldedPassword(password), words)

describe('the words of a context', () => {
  it('are an email, its local part and their names, except the top-level domain and short names', () => {
    expect(emailWords('Ada.Lovelace-1815@mail.example.com')).to.have.members([
      ...['ada.lovelace-1815@mail.example.com', 'ada.lovelace-1815', 'ada', 'lovelace', 'mail.example.com'],
      ...['mail', 'example'],
    ])
    expect(emailWords('ada')).to.deep.equal(['ada'])
    expect(emailWords('jo@x.io')).to.have.members(['jo@x.io', 'x.io'])
    expect(emailWords('10001@qq.com')).to.have.members(['10001@qq.com', '10001', 'qq.com'])
  })

  it('are a name, and the labels of a host', () => {
    expect(nameWords('Kennel')).to.deep.equal(['kennel'])
    expect(nameWords('app.my-pets.example')).to.deep.equal(['app.my-pets.example', 'app', 'pets'])
    expect(nameWords('')).to.deep.equal([])
  })

  it('are folded as the password is', () => {
    expect(emailWords('stra\u00dfe@example.com')).to.include('strasse')
    expect(isMostly('STRASSE-77', ...emailWords('stra\u00dfe@example.com'))).to.equal(true)
  })
})

describe('a password that is mostly context', () => {
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

  it('is detected with any digits and punctuation around and within it', () => {
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

  it('is detected by its longest words, in any order', () => {
    const words = ['ada', 'adalovelace']
    for (const known of [words, words.toReversed()]) expect(isMostly('adalovelace1', ...known)).to.equal(true)
  })

  it('is accepted if a context word appears only after another word is removed', () => {
    expect(isMostly('kenlovelacenel', ...WORDS)).to.equal(false)
  })

  it('is accepted without a context word, or with four other letters', () => {
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

  it('is decided for any password and any words', () => {
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(text, text, (password, email) => {
        expect(isMostly(password, ...emailWords(email))).to.be.a('boolean')
      }),
    )
  })
})
