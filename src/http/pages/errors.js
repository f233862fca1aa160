// The errors that forms show.

/** A refusal of the service. `fields` has a message for each field that the service names. */
export class RequestError extends Error {
  constructor(message, { status, fields = {}, requestId } = {}) {
    super(message)
    Object.assign(this, { status, fields, requestId })
  }

  get text() {
    return this.requestId ? `${this.message} (request ID: ${this.requestId})` : this.message
  }
}

const UNREACHABLE = 'The service cannot be reached. Check the connection, then try again.'

/** Errors of the client have a code. */
export function known(error) {
  if (error instanceof RequestError) return error
  return new RequestError(error.code === 'network' ? UNREACHABLE : error.message, error)
}
