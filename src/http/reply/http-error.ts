/** An error in the HTTP request, detected before a use case is called. */
export class HttpError extends Error {
  readonly status: ErrorStatus

  constructor(status: ErrorStatus, message: string) {
    super(message)
    this.name = 'HttpError'
    this.status = status
  }
}

export type ErrorStatus = 400 | 404 | 405 | 408 | 413 | 415 | 431

/** The errors for a body that a host could not read. */
export const bodyError = {
  tooLarge: () => new HttpError(413, 'The body is too large.'),
  otherEncoding: () => new HttpError(415, 'This content encoding is not supported.'),
  unreadable: () => new HttpError(400, 'The body could not be read.'),
} as const

/** The message for a request that arrives too late. */
export const TOO_LATE = 'The request took too long to arrive.'

/** The message for a request target that is not a URL, or is a URL without a path. */
export const UNREADABLE_TARGET = 'The address of the request cannot be read.'

/** The message for a path without a route or a file. */
export const NOTHING_HERE = 'There is nothing at this path.'
