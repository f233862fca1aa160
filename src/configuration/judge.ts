import type { Components, PermissionError } from '../domain/access/components.js'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../domain/access/permission-rules.js'
import { settingsOf, type Settings } from './derived.js'
import { judgePermissions, readPermissionsFile } from './permissions-file.js'
import type { AdapterRules, Reading } from './reader.js'
import { ERRORS, type Rule, type RuleContext } from './rules.js'
import { sentenceAbout, type Sentence } from './sentence.js'
import { SETTING_NAMES, SETTINGS, type SettingName, type Values } from './settings.js'
import { WARNINGS } from './warnings.js'

/** The settings to check. Settings in `unreadable` could not be read; their errors are already reported. */
export type GivenSettings = {
  readonly readings: Partial<Readonly<Record<SettingName, Reading<unknown>>>>
  readonly unreadable?: ReadonlySet<SettingName>
  /** Permissions that replace the permission file. */
  readonly permissions?: PermissionRules | undefined
  readonly components?: Components | undefined
}

export type SettingsOutcome =
  | {
      readonly ok: true
      readonly settings: Settings
      readonly warnings: readonly Sentence[]
      /** The rules from which the permissions in `settings` were compiled. */
      readonly permissionRules: PermissionRules
    }
  | { readonly ok: false; readonly errors: readonly Sentence[] }

/** Checks each setting, the rules that involve several settings, and the permission file. Reports all errors together. */
export function judge(input: GivenSettings, rules: AdapterRules): SettingsOutcome {
  const { values, likely, unsound, errors } = readSettings(input, rules)
  const permissions =
    input.permissions === undefined && values.permissionsFile !== undefined
      ? readPermissionsFile(values.permissionsFile, input.components)
      : judgePermissions(input.permissions ?? DEFAULT_PERMISSIONS, input.components)
  const { publicUrl } = values
  const context = {
    ...rules,
    ...(permissions.ok && !unsound.has('permissionsFile') && { permissions: permissions.permissions }),
    ...(publicUrl !== undefined && { host: new URL(publicUrl).hostname }),
  }
  const sound = soundValues({ ...values, ...likely }, unsound)
  const broken = (list: readonly Rule[]) => list.flatMap((rule) => sentenceOf(rule, sound, context) ?? [])
  const all = [
    ...errors,
    ...broken(ERRORS),
    ...(permissions.ok ? [] : permissions.errors.map(permissionSentence)),
  ]
  if (all.length > 0 || unsound.size > 0 || !permissions.ok) return { ok: false, errors: all }
  const settings = settingsOf(values, permissions.permissions)
  return { ok: true, settings, warnings: broken(WARNINGS), permissionRules: permissions.rules }
}

class UnsoundSetting extends Error {}

/** Wraps the values: reading an `unsound` setting without a likely value throws an `UnsoundSetting`. */
function soundValues(values: Values, unsound: ReadonlySet<string>): Values {
  return new Proxy(values, {
    get: (all, name: SettingName): unknown => {
      if (unsound.has(name) && !(name in all)) throw new UnsoundSetting()
      return all[name]
    },
  })
}

/** Returns `undefined` if the rule reads a setting whose value is unknown. */
function sentenceOf(rule: Rule, values: Values, context: RuleContext): Sentence | undefined {
  try {
    return rule(values, context)
  } catch (error) {
    if (error instanceof UnsoundSetting) return undefined
    throw error
  }
}

/** `values` omits `unsound` settings; `likely` contains their likely values, if known. */
function readSettings({ readings, unreadable = new Set() }: GivenSettings, rules: AdapterRules) {
  const values: [SettingName, unknown][] = []
  const likely: [SettingName, unknown][] = []
  const unsound = new Set<SettingName>(unreadable)
  const errors: Sentence[] = []
  for (const name of SETTING_NAMES) {
    const reading = readings[name] ?? (unreadable.has(name) ? undefined : defaultOf(name, rules))
    if (reading?.ok) (unreadable.has(name) ? likely : values).push([name, reading.value])
    else if (reading) {
      if ('likely' in reading) likely.push([name, reading.likely])
      if (!unreadable.has(name)) errors.push(sentenceAbout(name, ` ${reading.rule}`))
      unsound.add(name)
    }
  }
  return {
    values: Object.fromEntries(values) as Values,
    likely: Object.fromEntries(likely) as Partial<Values>,
    unsound,
    errors,
  }
}

function defaultOf(name: SettingName, rules: AdapterRules): Reading<unknown> | undefined {
  const row = SETTINGS[name]
  return 'default' in row ? row.read.text(row.default, rules) : undefined
}

function permissionSentence({ path, rule }: PermissionError): Sentence {
  return sentenceAbout('permissionsFile', path === '' ? ` ${rule}` : `: ${path} ${rule}`)
}
