import { passphraseError, passphraseWarning } from '../../src/adapters/keyring/passphrase.js'
import { readConfiguration, type Configuration } from '../../src/configuration/configuration.js'

export type Texts = Readonly<Record<string, string | undefined>>

export const GOOD_PASSPHRASE = 'Seven-hounds+4-kennels=a-good-passphrase'

/** A configuration that production accepts without a warning. */
export const PRODUCTION: Texts = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://pets.example',
  SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE,
  LOGIN_LIMIT: '10/15m',
}

const rules = { passphraseError, passphraseWarning }

/** The faults of these variables; none where they are accepted. */
export function faultsOf(texts: Texts): readonly string[] {
  const outcome = readConfiguration(texts, rules)
  return outcome.ok ? [] : outcome.errors
}

/** The configuration of variables that have to be accepted. */
export function configurationOf(texts: Texts): Configuration {
  return accepted(texts).configuration
}

export function warningsOf(texts: Texts): readonly string[] {
  return accepted(texts).warnings
}

function accepted(texts: Texts): { configuration: Configuration; warnings: readonly string[] } {
  const outcome = readConfiguration(texts, rules)
  if (!outcome.ok) throw new Error(`refused: ${outcome.errors.join('; ')}`)
  return outcome
}
