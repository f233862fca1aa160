/**
 * What is wrong with the options of `openKennel`, all at once: each error is a sentence that names
 * its option and holds no value. Known by its `code`, also where it comes from another copy of the
 * package.
 */
export class OptionsError extends TypeError {
  /** What to know it by. */
  readonly code = 'invalid-options'
  /** One sentence for each. */
  readonly errors: readonly string[]

  constructor(errors: readonly string[], cause?: unknown) {
    super(`Kennel cannot be opened:\n${errors.map((error) => `- ${error}`).join('\n')}`, { cause })
    this.name = 'OptionsError'
    this.errors = errors
  }
}
