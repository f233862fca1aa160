import { isPromise, partErrors, promiseError, storeErrors } from '../composition-root/custom-parts/check.js'
import { ADAPTER_RULES } from '../composition-root/adapter-rules.js'
import { judge, type SettingsOutcome } from '../configuration/judge.js'
import { means, type Reading } from '../configuration/reader.js'
import { plainly, type ConfigurationError, type Naming, type Sentence } from '../configuration/sentence.js'
import { OPTION_NAMES, SETTINGS, type OptionName } from '../configuration/settings.js'
import type { Components } from '../domain/access/components.js'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../domain/access/permission-rules.js'
import { MUST_BE } from '../domain/messages.js'
import { OTHERS, takeOptions, type GivenOptions, type JsonObject, type OptionError } from './given-options.js'
import { OptionsError, type AnyOptions } from './options.js'
import { readComponents } from './custom-components.js'

const REQUIRED = {
  passphrase: 'passphrase is required (`kennel-id key generate --plain` generates one)',
  publicUrl: 'publicUrl is required',
} as const

type Readings = Partial<Record<OptionName, Reading<unknown>>>

/**
 * Reads the options and validates them by the same rules as environment variables. Throws an `OptionsError`. Warnings are about options that
 * are accepted but not recommended, and name the options.
 */
export function readOptions(given: AnyOptions) {
  if (isPromise(given)) throw new OptionsError([promiseError('the options object')])
  const taken = takeOptions(given)
  if (!taken) throw new OptionsError(['the options must be an object'])
  const { members } = taken
  const readings = readingsOf(members)
  const { components, errors: ownErrors } = readComponents(members['components'])
  const errors = [...optionErrors(taken, readings), ...ownErrors]
  const outcome = judged(readings, members, components)
  const nameOf = namingIn(members)
  // Reports only one error for an option that is missing, of the wrong type or unreadable.
  const isNew = ({ setting }: Sentence) =>
    setting === undefined || !errors.some(({ option }) => option === nameOf(setting))
  const others = outcome.ok ? [] : outcome.errors.filter(isNew)
  const sentences = [...errors.map(({ sentence }) => sentence), ...others.map(({ tell }) => tell(nameOf))]
  if (sentences.length > 0 || !outcome.ok) throw new OptionsError(sentences)
  const warnings = outcome.warnings
    // Skips warnings about `memory:` for a custom store, which was read as `memory:`.
    .filter(({ setting }) => setting !== 'store' || typeof members['store'] === 'string')
    .map(({ tell }) => tell(nameOf))
  return {
    /** A copy of the options, without getters. */
    options: { ...members, components } as AnyOptions,
    settings: outcome.settings,
    warnings,
  }
}

/** Returns the errors of the options themselves, before any setting is validated. */
function optionErrors({ members, errors: taken }: GivenOptions, readings: Readings): OptionError[] {
  const errors = [...taken, ...OTHERS.flatMap((name) => otherError(name, members[name]))]
  errors.push(...foreignErrors(members), ...pagesErrors(members))
  const missing = Object.entries(REQUIRED)
    .map(([option, sentence]) => ({ option, sentence }))
    .filter(
      ({ option: name }) => members[name] === undefined && !errors.some(({ option }) => option === name),
    )
  return [
    ...errors,
    ...missing,
    ...Object.entries(readings).flatMap(([option, reading]) =>
      reading.ok || !reading.mistyped ? [] : [{ option, sentence: `${option} ${reading.rule}` }],
    ),
  ]
}

/** Returns the function that maps a setting to its option name; `permissionsFile` becomes `permissions` if that option is given. */
function namingIn({ permissions }: JsonObject): Naming {
  return (setting) => (setting === 'permissionsFile' && permissions !== undefined ? 'permissions' : setting)
}

function judged(
  readings: Readings,
  members: JsonObject,
  components: Components | undefined,
): SettingsOutcome {
  const { permissions } = members
  const isObject = typeof permissions === 'object' && permissions !== null
  const rules = isObject ? (permissions as PermissionRules) : undefined
  try {
    const given = {
      readings: { production: means(true), ...ownMailer(members), ...readings },
      unreadable: new Set(OPTION_NAMES.filter((name) => isMistyped(readings[name]))),
      // If the components are invalid, the known names are incomplete, so the permissions are not validated.
      permissions: components ? rules : DEFAULT_PERMISSIONS,
      components,
    }
    return judge(given, ADAPTER_RULES)
  } catch {
    return { ok: false, errors: [plainly(() => 'permissions cannot be read')] }
  }
}

function otherError(name: (typeof OTHERS)[number], value: unknown): OptionError[] {
  if (value === undefined) return []
  const wanted = name === 'background' || name === 'pages' ? 'boolean' : 'object'
  return typeof value === wanted && value !== null
    ? []
    : [{ option: name, sentence: `${name} is of the wrong type: it ${MUST_BE[wanted]}` }]
}

/** The `pages` option needs sessions, and a cookie that browsers do not send with requests from other sites. */
function pagesErrors({ pages, stateless, sessionCookieSamesite }: JsonObject): OptionError[] {
  if (pages !== true) return []
  const sentences = [
    ...(stateless === true ? ['pages needs sessions: it cannot be true with stateless'] : []),
    ...(sessionCookieSamesite === 'none'
      ? [
          'pages cannot be true with sessionCookieSamesite=none: browsers would send the cookie from every site',
        ]
      : []),
  ]
  return sentences.map((sentence) => ({ option: 'pages', sentence }))
}

function foreignErrors({ store, parts, permissions, permissionsFile }: JsonObject): OptionError[] {
  const both = 'permissions and permissionsFile cannot both be given'
  return [
    ...(permissions === undefined || permissionsFile === undefined
      ? []
      : [{ option: 'permissions', sentence: both }]),
    ...readable('store', store, storeErrors),
    ...readable('parts', parts, partErrors),
  ]
}

function readable(
  option: string,
  value: unknown,
  errorsOf: (members: JsonObject) => string[],
): readonly OptionError[] {
  if (typeof value !== 'object' || value === null) return []
  try {
    return errorsOf(value as JsonObject).map((sentence) => ({ option, sentence }))
  } catch {
    return [{ option, sentence: `${option} cannot be read` }]
  }
}

function readingsOf(members: JsonObject): Readings {
  const given = OPTION_NAMES.filter((name) => members[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, readingOf(name, members[name])]))
}

function readingOf(name: OptionName, value: unknown): Reading<unknown> {
  try {
    return SETTINGS[name].read.option(value, ADAPTER_RULES)
  } catch {
    // A getter or a proxy in the value threw an error.
    return { ok: false, rule: 'cannot be read', mistyped: true }
  }
}

function isMistyped(reading: Reading<unknown> | undefined): boolean {
  return reading?.ok === false && reading.mistyped === true
}

/** If there is a custom mailer, sets `mailUrl` to a placeholder folder, to which nothing is written. */
function ownMailer({ parts }: JsonObject): Readings {
  try {
    const isGiven = typeof parts === 'object' && (parts as JsonObject | null)?.['mailer'] !== undefined
    return isGiven ? { mailUrl: means({ kind: 'file', folder: '.' }) } : {}
  } catch {
    return {}
  }
}

/** An error that is detected only while the Kennel instance is being opened, such as an invalid mail template. */
export function optionsError(error: ConfigurationError): OptionsError {
  const sentences = error.sentences.map(({ tell }) => tell((setting) => setting))
  return new OptionsError(sentences, error.cause)
}
