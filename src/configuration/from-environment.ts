import type { PermissionRules } from '../domain/access/permission-rules.js'
import type { Settings } from './derived.js'
import { readEnvironment, type Environment, type EnvironmentError } from './environment.js'
import { judge, type SettingsOutcome, type GivenSettings } from './judge.js'
import { readText, type AdapterRules } from './reader.js'
import { ConfigurationError, inVariables, plainly, type Sentence } from './sentence.js'
import { SECRETS, SETTING_NAMES, SETTINGS, VARIABLES, type SettingName } from './settings.js'
import { isOneEditApart } from '../domain/messages.js'

/** The settings that were read from the environment. Warnings are sentences for the operator; they contain no values. */
export type EnvironmentSettings = {
  readonly settings: Settings
  readonly warnings: readonly string[]
  readonly source: SettingsSource
}

/** A source from which a different process can read the same settings. */
export type SettingsSource = {
  /** The environment variables of all settings, including the content of secret files. */
  readonly variables: Variables
  readonly permissions: PermissionRules
}

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Loads the configuration of this process from its environment, `.env` and secret files. If `storeModule` is given, it is used instead of
 * the store that the configuration specifies. Throws a `ConfigurationError` that lists all errors.
 */
export function loadSettings(
  rules: AdapterRules,
  { storeModule }: { readonly storeModule?: string | undefined } = {},
): EnvironmentSettings {
  const secrets = SECRETS.map((name) => SETTINGS[name].variable)
  const trusted = [SETTINGS.storeModule.variable]
  const environment = readEnvironment({ secrets, trusted })
  const { variables, errors } = storeModule === undefined ? environment : withStore(environment, storeModule)
  const { settings, ...outcome } = soundly(judgeEnvironment(variables, rules, errors))
  return {
    settings,
    warnings: outcome.warnings.map(({ tell }) => tell(inVariables)),
    source: { variables: settingsAmong(variables), permissions: outcome.permissionRules },
  }
}

/** Returns the settings that another process has read; no file is read again. */
export function settingsFrom({ variables, permissions }: SettingsSource, rules: AdapterRules): Settings {
  return soundly(judge({ readings: readingsOf(variables, rules), permissions }, rules)).settings
}

function soundly(outcome: SettingsOutcome): Extract<SettingsOutcome, { ok: true }> {
  if (!outcome.ok) throw new ConfigurationError(outcome.errors)
  return outcome
}

function settingsAmong(variables: Variables): Variables {
  const names = SETTING_NAMES.map((name) => SETTINGS[name].variable)
  return Object.fromEntries(names.map((name) => [name, variables[name]]))
}

function withStore({ variables, errors }: Environment, storeModule: string): Environment {
  const { store, storeModule: module } = SETTINGS
  return {
    variables: { ...variables, [store.variable]: '', [module.variable]: storeModule },
    errors: errors.filter(({ variable }) => variable !== store.variable && variable !== module.variable),
  }
}

/** Checks variables. The errors in `earlier` are listed first, and their variables are not checked again. */
export function judgeEnvironment(
  variables: Variables,
  rules: AdapterRules,
  earlier: readonly EnvironmentError[] = [],
): SettingsOutcome {
  const readings = readingsOf(variables, rules)
  const links = VARIABLES.filter((variable) => isServiceLink(variables[variable]))
  const known = [
    ...earlier,
    ...links.map((variable) => ({ variable, sentence: serviceLinkSentence(variable) })),
  ]
  const unreadable = SETTING_NAMES.filter((name) =>
    known.some(({ variable }) => variable === SETTINGS[name].variable),
  )
  const outcome = judge({ readings, unreadable: new Set(unreadable) }, rules)
  const first = [...known.map(({ sentence }) => sentence), ...misspellings(namesIn(variables), VARIABLES)]
  if (first.length === 0) return outcome
  const others: readonly Sentence[] = outcome.ok ? [] : outcome.errors
  return { ok: false, errors: [...first.map((sentence) => plainly(() => sentence)), ...others] }
}

function readingsOf(variables: Variables, rules: AdapterRules): GivenSettings['readings'] {
  const valueOf = (name: SettingName) => variables[SETTINGS[name].variable] ?? ''
  const set = SETTING_NAMES.filter((name) => valueOf(name) !== '')
  return Object.fromEntries(
    set.map((name) => [name, readText<unknown>(valueOf(name), rules, SETTINGS[name].read.text)]),
  )
}

function namesIn(variables: Variables): string[] {
  return Object.keys(variables).filter(
    (name) => (variables[name] ?? '') !== '' && !isServiceLink(variables[name]),
  )
}

/** `PAGER` is a common shell variable, not a misspelled `PAGES`. */
const OF_SHELLS = 'PAGER'

/** Returns a sentence for each unknown name that is one edit away from a known name. */
export function misspellings(names: readonly string[], known: readonly string[]): string[] {
  const there = new Set([...known, OF_SHELLS])
  return names.flatMap((name) => {
    const meant = there.has(name) ? undefined : known.find((one) => isOneEditApart(name, one))
    return meant === undefined ? [] : [`${name} is unknown; did you mean ${meant}?`]
  })
}

/** For a Service named `x`, Kubernetes and Docker links set `X_PORT=tcp://host:port` in every container. */
const LINK = /^(?:tcp|udp|sctp):\/\/[^/]+:[0-9]+$/

/** Returns whether the platform has set the variable for a Service, which means that the variable is not a setting. */
export function isServiceLink(value: string | undefined): boolean {
  return value !== undefined && LINK.test(value)
}

/** Returns the error message for a setting whose variable the platform has set for a Service. */
function serviceLinkSentence(variable: string): string {
  return `${variable} has the form tcp://host:port, which Kubernetes sets for a Service: set enableServiceLinks: false for the pod, or rename the Service`
}
