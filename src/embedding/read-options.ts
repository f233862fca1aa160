import { passphraseError } from '../adapters/keyring/index.js'
import type { PermissionRules } from '../domain/access/permissions.js'
import { MUST_BE } from '../domain/messages.js'
import {
  readConfiguration,
  type Configuration,
  type ConfigurationOutcome,
} from '../configuration/configuration.js'
import { OTHERS, takeOptions, type JsonObject } from './given-options.js'
import { OptionsError } from './options-error.js'
import { VARIABLE_OF, type KennelOptions } from './options.js'
import { partErrors, storeErrors } from './parts/part-shapes.js'
import { isPromise, promised } from './promised.js'

type Variable = (typeof VARIABLE_OF)[keyof typeof VARIABLE_OF]
type Setting = keyof typeof VARIABLE_OF

const SETTINGS = Object.keys(VARIABLE_OF) as readonly Setting[]
const REQUIRED = ['passphrase', 'publicUrl'] as const
const BOOLEANS: readonly Setting[] = ['stateless', 'sessionCookieSecure', 'production', 'docs']
const NUMBERS: readonly Setting[] = ['passwordMinLength', 'passwordHashConcurrency', 'trustProxy']
const LISTS: readonly Setting[] = ['previousPassphrases', 'corsOrigins']
/** Numbers of these are milliseconds. */
const DURATIONS: readonly Setting[] = [
  ...(['accessTokenTtl', 'refreshTokenTtl', 'sessionTtl', 'refreshGrace'] as const),
  ...(['impersonationTtl', 'resetTokenTtl', 'auditRetention'] as const),
]
/** Longer ones are looked at by nobody. */
const LIST_MAX = 1_000

export type ReadOptions = {
  /** What was given, as plain members. */
  readonly options: KennelOptions
  readonly configuration: Configuration
  /** What is accepted and was better decided otherwise, in the options' names. */
  readonly warnings: readonly string[]
}

/** The configuration that the options are, checked by the same rules as the environment. Throws an `OptionsError`. */
export function readOptions(given: KennelOptions): ReadOptions {
  if (isPromise(given)) throw new OptionsError([promised('the options object')])
  const taken = takeOptions(given)
  if (!taken) throw new OptionsError(['the options must be an object'])
  const { members } = taken
  const errors = [...taken.errors]
  errors.push(...OTHERS.flatMap((name) => otherError(name, members[name])), ...foreignFaults(members))
  const missing = REQUIRED.filter((name) => members[name] === undefined && !isAbout(name, errors))
  errors.push(...missing.map((name) => `${name} is required`))
  const texts = textsOf(members)
  errors.push(...texts.errors)
  const outcome = judged(texts.variables, members)
  const more = outcome.ok ? [] : outcome.errors.map((one) => inOptions(one, members)).filter(isNew(errors))
  if (errors.length + more.length > 0 || !outcome.ok) throw new OptionsError([...errors, ...more])
  const warnings = outcome.warnings
    // A store of the caller's own stands as `memory:` among the variables.
    .filter((one) => typeof members['store'] !== 'object' || !one.startsWith('DATABASE_URL '))
    .map((one) => inOptions(one, members))
  return { options: members as KennelOptions, configuration: outcome.configuration, warnings }
}

function judged(variables: Readonly<Record<string, string>>, members: JsonObject): ConfigurationOutcome {
  try {
    return readConfiguration(variables, { passphraseError }, [], permissionsIn(members))
  } catch {
    return { ok: false, errors: ['permissions cannot be read'] }
  }
}

function otherError(name: (typeof OTHERS)[number], value: unknown): string[] {
  if (value === undefined) return []
  const wanted = name === 'background' ? 'boolean' : 'object'
  return typeof value === wanted && value !== null
    ? []
    : [`${name} is of the wrong type: it ${MUST_BE[wanted]}`]
}

/** What is wrong with a store and other parts of the caller's own. */
function foreignFaults({ store, parts, permissions, permissionsFile }: JsonObject): string[] {
  return [
    ...(permissions === undefined || permissionsFile === undefined
      ? []
      : ['permissions and permissionsFile cannot both be given']),
    ...readable('store', store, storeErrors),
    ...readable('parts', parts, partErrors),
  ]
}

function readable(name: string, value: unknown, faultsOf: (members: JsonObject) => string[]): string[] {
  if (typeof value !== 'object' || value === null) return []
  try {
    return faultsOf(value as JsonObject)
  } catch {
    return [`${name} cannot be read`]
  }
}

/** What is missing, of the wrong type or not readable is said once. */
function isNew(earlier: readonly string[]): (error: string) => boolean {
  return (error) => !isAbout(error.split(/[ ,:]/, 1)[0] ?? '', earlier)
}

function isAbout(name: string, errors: readonly string[]): boolean {
  return errors.some((one) => one.startsWith(`${name} `))
}

function permissionsIn({ permissions }: JsonObject): PermissionRules | undefined {
  return typeof permissions === 'object' && permissions !== null
    ? (permissions as PermissionRules)
    : undefined
}

/** Every setting as its variable would have it. */
function textsOf(members: JsonObject): { variables: Record<string, string>; errors: string[] } {
  const variables: Record<string, string> = { NODE_ENV: 'production', ...ownMailer(members) }
  const errors: string[] = []
  for (const name of SETTINGS) {
    const value = members[name]
    if (value === undefined) continue
    const text = textOf(name, value)
    if (text === undefined) errors.push(`${name} is of the wrong type: ${expectedOf(name)}`)
    else if (text === '' && !LISTS.includes(name)) errors.push(`${name} must not be empty`)
    else variables[VARIABLE_OF[name]] = text
  }
  return { variables, errors }
}

/** With a mailer of the caller's own mails leave, and no folder is ever written. */
function ownMailer({ parts }: JsonObject): Readonly<Record<string, string>> {
  const isGiven = typeof parts === 'object' && parts !== null && (parts as JsonObject)['mailer'] !== undefined
  return isGiven ? { MAIL_URL: 'file:.' } : {}
}

/** The option as the variable would have it, `undefined` for another type. */
function textOf(name: Setting, value: unknown): string | undefined {
  if (LISTS.includes(name)) return listText(name, value)
  switch (typeof value) {
    case 'object':
      return name === 'store' && value !== null ? 'memory:' : undefined
    case 'boolean':
      return BOOLEANS.includes(name) ? flagText(name, value) : undefined
    case 'number':
      return numberText(name, value)
    case 'string':
      return BOOLEANS.includes(name) || NUMBERS.includes(name) ? undefined : value
    default:
      return undefined
  }
}

function flagText(name: Setting, value: boolean): string {
  if (name !== 'production') return String(value)
  return value ? 'production' : 'development'
}

function numberText(name: Setting, value: number): string | undefined {
  if (NUMBERS.includes(name)) return String(value)
  if (!DURATIONS.includes(name) || !Number.isSafeInteger(value) || value < 0) return undefined
  return value % 1000 === 0 ? `${value / 1000}s` : `${value}ms`
}

function listText(name: Setting, value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length > LIST_MAX) return undefined
  const texts: unknown[] = Array.from(value)
  // A comma would make two origins of one.
  const isEntry = (one: unknown) =>
    typeof one === 'string' && one !== '' && (name !== 'corsOrigins' || !one.includes(','))
  if (!texts.every(isEntry)) return undefined
  if (texts.length === 0) return ''
  return name === 'corsOrigins' ? texts.join(',') : JSON.stringify(texts)
}

function expectedOf(name: Setting): string {
  if (BOOLEANS.includes(name)) return `it ${MUST_BE.boolean}`
  if (NUMBERS.includes(name)) return `it ${MUST_BE.number}`
  if (DURATIONS.includes(name)) return 'it must be milliseconds, or a string such as 15m'
  if (LISTS.includes(name)) return `it must be an array of at most ${LIST_MAX} strings, one for each`
  return name === 'store' ? 'it must be a string or a store' : `it ${MUST_BE.string}`
}

const OPTION_OF = new Map<string, string>(
  Object.entries(VARIABLE_OF).map(([option, variable]: [string, Variable]) => [variable, option]),
)

/** The same sentence with the option's name in the place of the variable's. */
function inOptions(sentence: string, { permissions }: JsonObject): string {
  return sentence
    .replace(/^PERMISSIONS_FILE/, permissions === undefined ? 'permissionsFile' : 'permissions')
    .replaceAll(
      /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b(?:AUDIT|DOCS)\b/g,
      (name) => OPTION_OF.get(name) ?? name,
    )
}

/** The faults of files that only opening reads, as faults of their options. */
export function optionsError(errors: readonly string[], cause: unknown): OptionsError {
  return new OptionsError(
    errors.map((error) => inOptions(error, {})),
    cause,
  )
}
