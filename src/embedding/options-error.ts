/**
 * All errors of the options of `openKennel`. Each is a sentence that names its option and contains no value. The `code`
 * identifies the error, also across copies of the package.
 */
export class OptionsError extends TypeError {
  readonly code = 'invalid-options'
  /** One sentence for each error. */
  readonly errors: readonly string[]

  constructor(errors: readonly string[], cause?: unknown) {
    super(`Kennel cannot be opened:\n${errors.map((error) => `- ${error}`).join('\n')}`, { cause })
    this.name = 'OptionsError'
    this.errors = errors
  }
}
