/** A reply, or what an operator's command came to, that the model does not allow. */
export class ViolationError extends Error {
  constructor(trace: readonly string[], wrong: string) {
    super(['', ...trace.map((line, index) => `${index + 1}. ${line}`), `=> ${wrong}`].join('\n'))
    this.name = 'ViolationError'
  }
}
