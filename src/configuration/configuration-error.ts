import { OperatorError } from '../domain/operator-error.js'
import { inVariables, type Sentence } from './sentence.js'

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
