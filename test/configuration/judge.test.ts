import { expect } from 'chai'
import { randomInt } from 'node:crypto'
import { SETTING_NAMES, SETTINGS } from '../../src/configuration/settings.js'
import { casesFor } from './reader-cases.js'
import { errorsOf, settingsOf, WITH_MAIL, type Texts } from './reading.js'

describe('the settings', () => {
  it('are deeply frozen', () => {
    const settings = settingsOf({ CORS_ORIGINS: 'https://a.example' })
    const { corsOrigins, lifetimes, passwordScrypt, permissions } = settings
    const parts = [settings, corsOrigins, lifetimes, passwordScrypt, permissions]
    expect(parts.every((part) => Object.isFrozen(part))).to.be.true
  })

  it('ignore variables of other programs', () => {
    const texts: unknown = JSON.parse('{"PATH": "/bin", "__proto__": "x", "npm_config_port": "1"}')
    expect(errorsOf(texts as Record<string, string>)).to.deep.equal([])
  })
})

type Mistake = { readonly variable: string; readonly text: string | undefined }

/** Returns a mistake for each required setting, which is missing, and for each setting, which has the invalid value at this position. */
function mistakes(at: number): Mistake[] {
  const missing = ['PUBLIC_URL', 'SECURITY_JWT_PASSPHRASE', 'MAIL_FROM']
  const wrong = SETTING_NAMES.map((name) => {
    const { wrong: texts } = casesFor(name)
    return { variable: SETTINGS[name].variable, text: texts[at % texts.length] }
  })
  return [...missing.map((variable) => ({ variable, text: undefined })), ...wrong]
}

const errorsWith = (...given: readonly Mistake[]) =>
  errorsOf({ ...WITH_MAIL, ...Object.fromEntries(given.map(({ variable, text }) => [variable, text])) })

/** A missing sender is not an error if the mail server is a `file:` URL. */
const areIndependent = ({ variable }: Mistake, other: Mistake) =>
  variable !== other.variable && !(variable === 'MAIL_FROM' && other.text?.startsWith('file:'))

describe('two errors in a configuration', () => {
  it('are both reported, for every pair of errors', () => {
    const from = randomInt(1000)
    const all = mistakes(from).map((one) => ({ ...one, errors: errorsWith(one) }))
    for (const [at, one] of all.entries())
      for (const other of all.slice(at + 1))
        if (areIndependent(one, other))
          expect(
            errorsWith(one, other),
            `${JSON.stringify([one, other])}, texts from ${from}`,
          ).to.include.members([...one.errors, ...other.errors])
  })

  it('are both reported even if one setting is required because of the other', () => {
    const passphrase = /^SECURITY_JWT_PASSPHRASE is required/
    for (const [given, expected] of [
      [{ PUBLIC_URL: 'http://192.0.2.1:3000/app' }, passphrase],
      [{ NODE_ENV: 'prod', PUBLIC_URL: 'https://pets.example' }, passphrase],
      [{ NODE_ENV: 'production', HOST: 'a b' }, passphrase],
      [{ NODE_ENV: '"production"' }, /^PUBLIC_URL is required/],
      [{ MAIL_URL: 'mail.example:587' }, /^MAIL_FROM is required/],
    ] as const) {
      const errors = errorsOf(given)
      expect(errors, JSON.stringify(given)).to.have.lengthOf.above(1)
      expect(errors.filter((error) => expected.test(error))).to.have.lengthOf(1)
    }
  })

  it('are reported as one error if the first prevents a check for the second', () => {
    for (const given of [
      { PUBLIC_URL: 'localhost:3000' },
      { PUBLIC_URL: 'http://127.0.0.1:3000/app' },
      { NODE_ENV: 'Development' },
      { HOST: 'a b' },
      { MAIL_URL: './outbox' },
      { MAIL_URL: '"file:./outbox"' },
    ] as Texts[])
      expect(errorsOf(given), JSON.stringify(given)).to.have.lengthOf(1)
  })
})
