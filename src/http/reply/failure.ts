import {
  explainedMessages,
  isRefusal,
  type Message,
  type MessageType,
  type Refusal,
  type TooManyAttempts,
} from '../../domain/refusal.js'
import { loggedOutView, shownMessages } from './envelope.js'
import { STATUS_OF } from '../refusal-status.js'
import { JSON_TYPE, type HttpReply, type HttpRequest } from '../message.js'
import type { Log } from '../../ports/log.js'
import { requestMethod } from '../request-log.js'
import type { HttpSettings } from '../parts.js'

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

export const bodyError = {
  tooLarge: () => new HttpError(413, 'The body is too large.'),
  otherEncoding: () => new HttpError(415, 'This content encoding is not supported.'),
  unreadable: () => new HttpError(400, 'The body could not be read.'),
} as const

export const TOO_LATE = 'The request took too long to arrive.'

/** The message for a request target that is not a URL, or is a URL without a path. */
export const UNREADABLE_TARGET = 'The address of the request cannot be read.'

export const NOTHING_HERE = 'There is nothing at this path.'

export type Failure = {
  readonly status: number
  readonly messages: readonly Message[]
  /** A reason that is only logged. */
  readonly detail?: string
  /** Seconds after which a client may try again. */
  readonly retryAfter?: number
  /** Whether the cause is an error in the program, which is logged with its stack trace. */
  readonly unexpected: boolean
}

/**
 * The reply for a refusal, for the embedding program's own routes; `Response.json(reply.body, reply)` converts the reply to a `Response`.
 */
export type RefusalReply = {
  readonly status: number
  /** The content type of the body, `Cache-Control`, and `Retry-After` if the caller may try again. */
  readonly headers: Readonly<Record<string, string>>
  /** The status, and all messages joined in one string, as on the pet routes. */
  readonly body: { readonly code: number; readonly message: string }
}

/** `Retry-After` of a 503 in seconds. */
export const RETRY_AFTER = '2'

const PROJECTS = '/api/project'
const ADMINISTRATION = '/api/admin'

/**
 * Returns the failure for a thrown value: an unknown value results in a plain 500. With `explained`, the messages include help for a
 * developer.
 */
export function failureOf(error: unknown, path: string, explained = false): Failure {
  if (isRefusal(error)) {
    const { detail } = error
    return {
      status: statusAt(error, path),
      messages: explained ? explainedMessages(error) : error.messages,
      unexpected: false,
      ...(hasRetryAfter(error) && { retryAfter: Math.ceil(error.retryAfter / 1000) }),
      ...(detail !== undefined && { detail }),
    }
  }
  if (error instanceof HttpError) return httpFailure(error.status, error.message)
  const message: Message = { field: '', type: 'Unavailable', message: 'Internal error.' }
  return { status: 500, messages: [message], unexpected: true }
}

function hasRetryAfter(refusal: Refusal): refusal is TooManyAttempts {
  return 'retryAfter' in refusal && typeof refusal.retryAfter === 'number'
}

export function httpFailure(status: HttpError['status'], message: string): Failure {
  const type: MessageType = status === 404 ? 'NotFound' : status === 413 ? 'Length' : 'Format'
  return { status, messages: [{ field: '', type, message }], unexpected: false }
}

export function isProjectPath(path: string): boolean {
  return path === PROJECTS || path.startsWith(`${PROJECTS}/`)
}

export function isAdministrationPath(path: string): boolean {
  return path === ADMINISTRATION || path.startsWith(`${ADMINISTRATION}/`)
}

/** The status is 422 for a project that violates a rule of its model, but 400 for a pet. */
function statusAt(refusal: Refusal, path: string): number {
  if (refusal.code === 'invalid' && isProjectPath(path)) return 422
  return STATUS_OF[refusal.code]
}

/** Returns the body of a failure: an envelope on paths below `/api`, except for administration; an `Error` on all other paths. */
export function failureBody({ status, messages }: Failure, path: string): object {
  const shown = shownMessages(status, messages)
  if (isAdministrationPath(path))
    return { ...errorBody(status, messages), ...(messages.length > 1 && { errors: shown }) }
  if (!path.startsWith('/api/')) return errorBody(status, messages)
  const view = isProjectPath(path) ? { saved: false, messages: shown } : loggedOutView(shown)
  return { code: status, response: false, view }
}

/** Each message begins with its field, because an `Error` has no separate member for fields. */
function errorBody(status: number, messages: readonly Message[]): { code: number; message: string } {
  const sentences = messages.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
  return { code: status, message: sentences.join('; ') }
}

function retryAfter({ status, retryAfter: seconds }: Failure): { readonly 'Retry-After'?: string } {
  if (seconds !== undefined) return { 'Retry-After': String(seconds) }
  return status === 503 ? { 'Retry-After': RETRY_AFTER } : {}
}

/**
 * Converts a refusal to a reply for the embedding program's own routes, in the form that the HTTP interface uses outside `/api`. The reply
 * contains no details that are meant for the log. Throws any other error unchanged, because it is unexpected.
 */
export function replyOf(error: unknown): RefusalReply {
  if (!isRefusal(error)) throw error
  const failure = failureOf(error, '/')
  const { status, messages } = failure
  const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', ...retryAfter(failure) }
  return { status, headers, body: errorBody(status, messages) }
}

const PETS_PREFIX = '/v1/pets'
const REALM = 'realm="Kennel pets"'

/** The only code that converts failures to replies. */
export function createBoundary(log: Log, settings: HttpSettings) {
  const challenge = { 'WWW-Authenticate': petChallenge(settings) }
  const reply = (failure: Failure, path: string): HttpReply => ({
    status: failure.status,
    body: failureBody(failure, path),
    headers: {
      ...(failure.status === 401 && path.startsWith(PETS_PREFIX) && challenge),
      ...retryAfter(failure),
    },
  })
  return {
    reply,
    failed: (error: unknown, request: HttpRequest) => {
      const failure = failureOf(error, request.path, !settings.production)
      report(log, request, failure, error)
      return reply(failure, request.path)
    },
  }
}

function report(log: Log, { method, requestId }: HttpRequest, failure: Failure, error: unknown): void {
  const fields = { method: requestMethod(method), status: failure.status, requestId }
  if (failure.unexpected) log.error('request failed', { ...fields, error })
  else if (failure.status === 503) log.warn('request refused', { ...fields, error })
  else if (failure.detail !== undefined && log.enabled('debug')) {
    log.debug('request refused', { ...fields, detail: failure.detail })
  }
}

/**
 * The challenge of a 401 from the pet routes (RFC 9110, 11.6.1). The private scheme `ApiKey` tells the client which header takes the API
 * key.
 */
export function petChallenge({ petsSecurity, petsApiKeyHeader }: HttpSettings): string {
  return petsSecurity === 'key'
    ? `ApiKey ${REALM}, header="${petsApiKeyHeader}"`
    : `Basic ${REALM}, charset="UTF-8"`
}
