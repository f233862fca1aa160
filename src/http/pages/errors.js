// The errors that forms show.

/** An error with a message for the user. `fields` has a message for each field that the service names. */
export class RequestError extends Error {
  constructor(message, { status, messages, fields = {}, requestId } = {}) {
    super(message)
    Object.assign(this, { status, messages, fields, requestId })
  }

  get text() {
    return this.requestId ? `${this.message} (request ID: ${this.requestId})` : this.message
  }
}

/** Whether the service rejected a call because it needs a more recent proof of identity. */
export const isStale = ({ messages = [] }) =>
  messages.some(({ message }) => message === 'fresh-login-required')
