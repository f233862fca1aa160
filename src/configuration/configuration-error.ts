import { inVariables, type Sentence } from './sentence.js'

/** The configuration cannot be used, for reasons that an operator or an embedder can mend. */
export class ConfigurationError extends Error {
  readonly sentences: readonly Sentence[]
  /** The same as the environment names the settings. */
  readonly errors: readonly string[]

  constructor(sentences: readonly Sentence[], cause?: unknown) {
    const errors = sentences.map(({ tell }) => tell(inVariables))
    super(errors.join('\n'), { cause })
    this.name = 'ConfigurationError'
    this.sentences = sentences
    this.errors = errors
  }
}
