import { OperatorError } from '../domain/refusal.js'
import { SETTINGS, type SettingName } from './settings.js'

/** Returns a setting's name: the name of its variable or of its option. */
export type Naming = (setting: SettingName) => string

/** A sentence about the configuration. The sentence contains no values; `tell` inserts the names of settings. */
export type Sentence = {
  /** Absent if the sentence does not begin with the name of a setting. */
  readonly setting?: SettingName
  readonly tell: (nameOf: Naming) => string
}

/** Creates a sentence that begins with the name of a setting and may contain the names of other settings. */
export function says(parts: TemplateStringsArray, ...settings: [SettingName, ...SettingName[]]): Sentence {
  return { setting: settings[0], tell: (nameOf) => String.raw({ raw: parts }, ...settings.map(nameOf)) }
}

/** Creates a sentence about one setting, in which `rest` follows the name of the setting. */
export function sentenceAbout(setting: SettingName, rest: string): Sentence {
  return { setting, tell: (nameOf) => `${nameOf(setting)}${rest}` }
}

export function plainly(tell: (nameOf: Naming) => string): Sentence {
  return { tell }
}

export const inVariables: Naming = (setting) => SETTINGS[setting].variable

/**
 * Error for an invalid configuration that an operator or the developer of the host application can correct. In `errors`, each setting is
 * named by its environment variable.
 */
export class ConfigurationError extends OperatorError {
  readonly sentences: readonly Sentence[]

  constructor(sentences: readonly Sentence[], cause?: unknown) {
    super(
      sentences.map(({ tell }) => tell(inVariables)),
      cause,
    )
    this.name = 'ConfigurationError'
    this.sentences = sentences
  }
}
