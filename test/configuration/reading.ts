import { readFileSync } from 'node:fs'
import { passphraseWarning } from '../../src/adapters/keyring/passphrase.js'
import { ADAPTER_RULES } from '../../src/composition-root/adapter-rules.js'
import type { Settings } from '../../src/configuration/derived.js'
import type { EnvironmentError } from '../../src/configuration/environment.js'
import { judgeEnvironment } from '../../src/configuration/from-environment.js'
import { inVariables } from '../../src/configuration/sentence.js'

export type Texts = Readonly<Record<string, string | undefined>>

export const GOOD_PASSPHRASE = 'Seven-hounds+4-kennels=a-good-passphrase'

/** A configuration that production accepts without a warning. */
export const PRODUCTION: Texts = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://pets.example',
  SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE,
  LOGIN_LIMIT: '10/15m',
}

/** A valid production configuration with a mail server. */
export const WITH_MAIL: Texts = {
  ...PRODUCTION,
  MAIL_URL: 'smtp://mail.example',
  MAIL_FROM: 'a@pets.example',
}

/** The settings or errors that result from variables; the errors name the variables. */
export type Judged =
  | { readonly ok: true; readonly settings: Settings; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly errors: readonly string[] }

/** Checks variables in the same way as the start of a service. */
export function judged(texts: Texts, earlier: readonly EnvironmentError[] = []): Judged {
  const outcome = judgeEnvironment(texts, { ...ADAPTER_RULES, passphraseWarning }, earlier)
  if (!outcome.ok) return { ok: false, errors: outcome.errors.map(({ tell }) => tell(inVariables)) }
  return { ...outcome, warnings: outcome.warnings.map(({ tell }) => tell(inVariables)) }
}

/** Returns the errors in these variables. */
export function errorsOf(texts: Texts): readonly string[] {
  const outcome = judged(texts)
  return outcome.ok ? [] : outcome.errors
}

/** Returns the settings from these variables; throws if they are invalid. */
export function settingsOf(texts: Texts): Settings {
  const outcome = judged(texts)
  if (!outcome.ok) throw new Error(`refused: ${outcome.errors.join('; ')}`)
  return outcome.settings
}

/** Returns the lines of a table file, whose cells are separated by tabs. */
export function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}
