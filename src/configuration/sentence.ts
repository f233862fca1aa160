import { OperatorError } from '../domain/operator-error.js'
import { SETTINGS, type SettingName } from './settings.js'

/** The name of a setting, as a variable or as an option. */
export type Naming = (setting: SettingName) => string

/** A sentence about the configuration. It contains no values; `tell` inserts the names of settings. */
export type Sentence = {
  /** Missing if the sentence begins with no setting. */
  readonly setting?: SettingName
  readonly tell: (nameOf: Naming) => string
}

/** A sentence that begins with a setting and may name others. */
export function says(parts: TemplateStringsArray, ...settings: [SettingName, ...SettingName[]]): Sentence {
  return { setting: settings[0], tell: (nameOf) => String.raw({ raw: parts }, ...settings.map(nameOf)) }
}

/** A sentence about one setting; `rest` follows its name. */
export function about(setting: SettingName, rest: string): Sentence {
  return { setting, tell: (nameOf) => `${nameOf(setting)}${rest}` }
}

/** A sentence that begins with no setting. */
export function plainly(tell: (nameOf: Naming) => string): Sentence {
  return { tell }
}

/** The names of variables. */
export const inVariables: Naming = (setting) => SETTINGS[setting].variable

/**
 * The configuration cannot be used, for reasons that an operator or an embedder can correct. `errors` name the settings
 * as the environment does.
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
