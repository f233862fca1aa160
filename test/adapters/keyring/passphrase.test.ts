import { expect } from 'chai'
import fc from 'fast-check'
import type { Randomness } from '../../../src/ports/randomness.js'
import {
  generatePassphrase,
  passphraseError,
  passphraseWarning,
} from '../../../src/adapters/keyring/index.js'
import { systemRandomness } from '../../../src/adapters/system/index.js'

const production = { production: true }
const elsewhere = { production: false }

const OF_32 = 'aB3$Kq7zWm2vTx9uLr5HpJc8YnGd4EsF'
const OF_16 = OF_32.slice(0, 16)

describe('the passphrase check', () => {
  it('takes 32 characters everywhere and 16 outside production', () => {
    expect(passphraseError(OF_32, production)).to.equal(undefined)
    expect(passphraseError(OF_32, elsewhere)).to.equal(undefined)
    expect(passphraseError(OF_16, elsewhere)).to.equal(undefined)
  })

  it('refuses one character less', () => {
    expect(passphraseError(OF_32.slice(0, 31), production)).to.equal('must have at least 32 characters')
    expect(passphraseError(OF_16, production)).to.equal('must have at least 32 characters')
    expect(passphraseError(OF_16.slice(0, 15), elsewhere)).to.equal('must have at least 16 characters')
    expect(passphraseError('', elsewhere)).to.equal('must have at least 16 characters')
  })

  it('counts characters, not UTF-16 units', () => {
    const sixteenUnits = 'aB3$' + '😀'.repeat(6)
    expect(sixteenUnits).to.have.lengthOf(16)
    expect(passphraseError(sixteenUnits, elsewhere)).to.equal('must have at least 16 characters')
  })

  const lacking: readonly [string, string][] = [
    [OF_32.toUpperCase(), 'must contain a lower-case letter'],
    [OF_32.toLowerCase(), 'must contain an upper-case letter'],
    [OF_32.replace(/[0-9]/g, 'x'), 'must contain a digit'],
    [OF_32.replace('$', 'x'), 'must contain a symbol'],
    ['0123456789abcdefABCDEF0123456789abcdef', 'must not consist of hexadecimal digits only'],
    ['0x0123456789abcdefABCDEF0123456789abcdef', 'must not consist of hexadecimal digits only'],
  ]
  for (const [text, rule] of lacking) {
    it(`names the broken rule: ${rule}`, () => {
      expect(passphraseError(text, production)).to.equal(rule)
      expect(passphraseError(text, elsewhere)).to.equal(rule)
    })
  }

  const examples = [
    'Change-me-to-a-passphrase-of-your-own-1!',
    'CHANGE_ME_please_0123456789_abcdefghij!',
    'xX1!-Replace.Me-xX1!-xX1!-xX1!-xX1!-xX1!',
    'Your-256-bit-secret-Your-256-bit-secret!',
    'a-string-secret-at-least-256-bits-Long!',
    'Correct Horse Battery Staple 1! and more',
  ]
  for (const text of examples) {
    it(`refuses the known example ${text.slice(0, 12)}…`, () => {
      expect(passphraseError(text, production)).to.equal('must not be a known example value')
    })
  }

  const FEW = 'must have at least 12 different characters'
  const BLOCK = 'must not be one block of characters repeated'
  const WORDS = 'must not consist mostly of common words and names'
  const guessable: readonly [string, string][] = [
    ['Password1!'.repeat(4), FEW],
    ['Aa1!'.repeat(12), FEW],
    ['aB3$Kq7zWm2'.repeat(4), FEW],
    ['aB3$Kq7zWm2v'.repeat(3), BLOCK],
    ['aB3$Kq7zWm2vTx9u'.repeat(3), BLOCK],
    [`${'aB3$Kq7zWm2vTx9u'.repeat(3)}aB3$K`, BLOCK],
    [`${'aB3$Kq7zWm2v'.repeat(2)}${'Ab3$kQ7zWM2V'.repeat(2)}`, BLOCK],
    ['Kennel-Production-Secret-2025-01!!', WORDS],
    ['P4$$w0rd-W3lc0me-L3tm31n-Adm1n-2024', WORDS],
    ['MyCompany-Prod-JWT-Secret-Key-2024!', WORDS],
    ['SuperSecretPassphraseForMyApp123!!', WORDS],
    ['Summer-2024 London Jessica Dragon #7', WORDS],
    ['QWERTYuiop-qazwsxEDC-1234567890!-Xb', WORDS],
  ]
  for (const [text, rule] of guessable) {
    it(`refuses what is easily guessed: ${text.slice(0, 20)}…: ${rule}`, () => {
      expect(passphraseError(text, production)).to.equal(rule)
      expect(passphraseError(text, elsewhere)).to.equal(rule)
    })
  }

  it('takes a phrase in which such words are the lesser part', () => {
    for (const text of [
      'Only-for-tests: 4 kennels & 12 hounds',
      'The-owl-of-7 valleys hums at dusk, twice.',
      'Secret-xQ7#vL2mZ9k-Wt4pRb8-Production',
    ])
      expect(passphraseError(text, production), text).to.equal(undefined)
  })

  it('refuses one that is mostly the name of the site', () => {
    const text = 'Zuvvela-Qombrik-9-zuvvela!-hfwtnkdypb'
    expect(passphraseError(text, production)).to.equal(undefined)
    expect(passphraseError(text, { ...production, host: 'id.zuvvela-qombrik.co' })).to.equal(WORDS)
    expect(passphraseError(text, { ...production, host: 'qombrik.zuvvela.example' })).to.equal(WORDS)
    expect(passphraseError(OF_32, { ...production, host: '127.0.0.1' })).to.equal(undefined)
    expect(passphraseError(OF_32, { ...production, host: '' })).to.equal(undefined)
  })

  it('never echoes the value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 4, maxLength: 60 }), fc.boolean(), (text, yes) => {
        const said = passphraseError(text, { production: yes }) ?? ''
        const rules = [
          'at least',
          'lower-case',
          'upper-case',
          'a digit',
          'a symbol',
          'hexadecimal',
          'example',
          'different',
          'block',
          'common words',
        ]
        expect(said === '' || rules.some((rule) => said.includes(rule))).to.equal(true)
        expect(said).to.match(/^(must [a-z0-9 -]+)?$/)
      }),
    )
  })
})

describe('the passphrase warning', () => {
  it('comes from 16 to 31 characters', () => {
    expect(passphraseWarning(OF_16)).to.match(/32 characters.*production/)
    expect(passphraseWarning(OF_32.slice(0, 31))).to.match(/32 characters.*production/)
  })

  it('does not come for a strong one, nor for one that is refused anyway', () => {
    expect(passphraseWarning(OF_32)).to.equal(undefined)
    expect(passphraseWarning(OF_16.slice(0, 15))).to.equal(undefined)
  })
})

describe('a generated passphrase', () => {
  it('passes the check for production, 1,000 times, and is never the same', () => {
    const made = Array.from({ length: 1_000 }, () => generatePassphrase(systemRandomness))
    for (const text of made)
      expect(passphraseError(text, { ...production, host: 'kennel.example' }), text).to.equal(undefined)
    expect(new Set(made)).to.have.lengthOf(1_000)
  })

  it('holds 256 random bits', () => {
    const asked: number[] = []
    const randomness: Randomness = {
      ...systemRandomness,
      base64url: (bytes) => (asked.push(bytes), systemRandomness.base64url(bytes)),
    }
    expect(generatePassphrase(randomness)).to.have.lengthOf(51)
    expect(asked).to.deep.equal([32])
  })

  it('passes even where the draw has letters of one case only', () => {
    const poor: Randomness = {
      ...systemRandomness,
      base64url: (bytes) => 'qxkvjwzpmbthdfgnlcrsy'.repeat(3).slice(0, Math.ceil((bytes * 4) / 3)),
    }
    expect(passphraseError(generatePassphrase(poor), production)).to.equal(undefined)
  })
})
