import { SETTINGS, type SettingName } from './settings.js'

/** How a front calls a setting. */
export type Naming = (setting: SettingName) => string

/**
 * What is to be said of the configuration: no value is in it, and no name of a setting until a front, such as the
 * environment, puts its own in.
 */
export type Sentence = {
  /** Missing where it is about no setting. */
  readonly setting?: SettingName
  readonly tell: (nameOf: Naming) => string
}

/** A sentence that begins with a setting and may name others, each in its place. */
export function says(parts: TemplateStringsArray, ...settings: [SettingName, ...SettingName[]]): Sentence {
  return { setting: settings[0], tell: (nameOf) => String.raw({ raw: parts }, ...settings.map(nameOf)) }
}

/** A sentence about one setting; `rest` follows its name. */
export function about(setting: SettingName, rest: string): Sentence {
  return { setting, tell: (nameOf) => `${nameOf(setting)}${rest}` }
}

/** What begins with no setting. */
export function plainly(tell: (nameOf: Naming) => string): Sentence {
  return { tell }
}

/** As the environment names the settings. */
export const inVariables: Naming = (setting) => SETTINGS[setting].variable
