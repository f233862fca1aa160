import { expect } from 'chai'
import { randomInt } from 'node:crypto'
import { SETTING_NAMES, SETTINGS } from '../../src/configuration/settings.js'
import { casesFor } from './reader-cases.js'
import { errorsOf, settingsOf, WITH_MAIL } from './reading.js'

describe('the settings', () => {
  it('are deeply frozen', () => {
    const settings = settingsOf({ CORS_ORIGINS: 'https://a.example' })
    const { corsOrigins, lifetimes, passwordScrypt, permissions } = settings
    const parts = [settings, corsOrigins, lifetimes, passwordScrypt, permissions]
    expect(parts.every((part) => Object.isFrozen(part))).to.be.true
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
})
