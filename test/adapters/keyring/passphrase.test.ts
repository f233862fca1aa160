import { expect } from 'chai'
import { fake } from 'sinon'
import { withoutCommonWords } from '../../../src/adapters/keyring/guessable.js'
import type { Randomness } from '../../../src/ports/system.js'
import {
  generatePassphrase,
  passphraseError,
  passphraseWarning,
} from '../../../src/adapters/keyring/index.js'
import { systemRandomness } from '../../../src/adapters/system/index.js'

const OF_32 = 'aB3$Kq7zWm2vTx9uLr5HpJc8YnGd4EsF'
const OF_16 = OF_32.slice(0, 16)
const errorsOf = (text: string) => [true, false].map((production) => passphraseError(text, { production }))

const SHORT = (count: number) => `must have at least ${count} characters`
const WORDS = 'must not consist mostly of common words and names'

/** Rules that apply in production and elsewhere, with passphrases that break them. */
const BROKEN: Readonly<Record<string, readonly string[]>> = {
  'must contain a lower-case letter': [OF_32.toUpperCase()],
  'must contain an upper-case letter': [OF_32.toLowerCase()],
  'must contain a digit': [OF_32.replace(/[0-9]/g, 'x')],
  'must contain a symbol': [OF_32.replace('$', 'x')],
  'must not consist of hexadecimal digits only': [
    '0123456789abcdefABCDEF0123456789abcdef',
    '0x0123456789abcdefABCDEF0123456789abcdef',
  ],
  'must not be a known example value': [
    ...['Change-me-to-a-passphrase-of-your-own-1!', 'CHANGE_ME_please_0123456789_abcdefghij!'],
    ...['xX1!-Replace.Me-xX1!-xX1!-xX1!-xX1!-xX1!', 'Your-256-bit-secret-Your-256-bit-secret!'],
    ...['a-string-secret-at-least-256-bits-Long!', 'Correct Horse Battery Staple 1! and more'],
  ],
  'must have at least 12 different characters': [
    'Password1!'.repeat(4),
    'Aa1!'.repeat(12),
    'aB3$Kq7zWm2'.repeat(4),
  ],
  'must not consist of one repeated block of characters': [
    `${'aB3$Kq7zWm2vTx9u'.repeat(3)}aB3$K`,
    `${'aB3$Kq7zWm2v'.repeat(2)}${'Ab3$kQ7zWM2V'.repeat(2)}`,
  ],
  [WORDS]: [
    ...['Kennel-Production-Secret-2025-01!!', 'P4$$w0rd-W3lc0me-L3tm31n-Adm1n-2024'],
    ...['MyCompany-Prod-JWT-Secret-Key-2024!', 'SuperSecretPassphraseForMyApp123!!'],
    ...['Summer-2024 London Jessica Dragon #7', 'QWERTYuiop-qazwsxEDC-1234567890!-Xb'],
  ],
}

describe('the passphrase check', () => {
  it('requires 32 characters in production and 16 elsewhere', () => {
    for (const [text, errors] of [
      [OF_32, [undefined, undefined]],
      [OF_32.slice(0, 31), [SHORT(32), undefined]],
      [OF_16, [SHORT(32), undefined]],
      [OF_16.slice(0, 15), [SHORT(32), SHORT(16)]],
      [`aB3$${'😀'.repeat(6)}`, [SHORT(32), SHORT(16)]],
    ] as const)
      expect(errorsOf(text)).to.deep.equal(errors)
  })

  for (const [rule, texts] of Object.entries(BROKEN))
    it(`rejects a passphrase that ${rule}`, () => {
      for (const text of texts) expect(errorsOf(text), text).to.deep.equal([rule, rule])
    })

  it('accepts a phrase that contains some common words', () => {
    for (const text of [
      ...['Only-for-tests: 4 kennels & 12 hounds', 'The-owl-of-7 valleys hums at dusk, twice.'],
      'Secret-xQ7#vL2mZ9k-Wt4pRb8-Production',
    ])
      expect(errorsOf(text)[0], text).to.equal(undefined)
  })

  it('rejects a passphrase that consists mostly of the site name', () => {
    const text = 'Zuvvela-Qombrik-9-zuvvela!-hfwtnkdypb'
    for (const [passphrase, host, error] of [
      [text, undefined, undefined],
      [text, 'id.zuvvela-qombrik.co', WORDS],
      [text, 'qombrik.zuvvela.example', WORDS],
      [OF_32, '', undefined],
    ] as const) {
      const options = { production: true, ...(host !== undefined && { host }) }
      expect(passphraseError(passphrase, options)).to.equal(error)
    }
  })
})

describe('common words', () => {
  it('are recognized even if digits and symbols replace letters', () => {
    expect(withoutCommonWords('My P4$$W0rd of 1999!')).to.equal('My   of  !')
    expect(withoutCommonWords('pa\u017f\u017fword \u212aennel')).to.equal('   ')
  })
})

describe('the passphrase warning', () => {
  it('is logged only for an accepted passphrase of 16 to 31 characters', () => {
    for (const text of [OF_16, OF_32.slice(0, 31)])
      expect(passphraseWarning(text)).to.match(/32 characters.*production/)
    for (const text of [OF_32, OF_16.slice(0, 15)]) expect(passphraseWarning(text)).to.equal(undefined)
  })
})

describe('a generated passphrase', () => {
  it('passes the production check, and is different in each of 1,000 runs', () => {
    const made = Array.from({ length: 1_000 }, () => generatePassphrase(systemRandomness))
    for (const text of made)
      expect(passphraseError(text, { production: true, host: 'kennel.example' }), text).to.equal(undefined)
    expect(new Set(made)).to.have.lengthOf(1_000)
  })

  it('contains 256 bits of randomness', () => {
    const base64url = fake((bytes: number) => systemRandomness.base64url(bytes))
    expect(generatePassphrase({ ...systemRandomness, base64url })).to.have.lengthOf(51)
    expect(base64url.args).to.deep.equal([[32]])
  })

  it('passes the check even if all randomly chosen letters have the same case', () => {
    const poor: Randomness = {
      ...systemRandomness,
      base64url: (bytes) => 'qxkvjwzpmbthdfgnlcrsy'.repeat(3).slice(0, Math.ceil((bytes * 4) / 3)),
    }
    expect(passphraseError(generatePassphrase(poor), { production: true })).to.equal(undefined)
  })
})
