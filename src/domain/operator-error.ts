/** An error that an operator can correct, for example in a file. Each of `errors` is a sentence without secrets. */
export class OperatorError extends Error {
  readonly errors: readonly string[]

  constructor(errors: readonly string[], cause?: unknown) {
    super(errors.join('\n'), { cause })
    this.name = 'OperatorError'
    this.errors = errors
  }
}
