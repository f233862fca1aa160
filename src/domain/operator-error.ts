/**
 * Work that cannot be done for reasons that an operator can correct, such as the configuration, a file or a signal. Each
 * reason is a sentence without a secret.
 */
export class OperatorError extends Error {
  readonly errors: readonly string[]

  constructor(errors: readonly string[], cause?: unknown) {
    super(errors.join('\n'), { cause })
    this.name = 'OperatorError'
    this.errors = errors
  }
}
