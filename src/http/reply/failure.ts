import {
  isRefusal,
  type Message,
  type MessageType,
  type Refusal,
  type TooManyAttempts,
} from '../../domain/refusal.js'
import { loggedOutView, shownMessages } from './envelope.js'
import { HttpError, STATUS_OF } from './http-error.js'

/** A reply that is no success, before it takes the shape of its prefix. */
export type Failure = {
  readonly status: number
  readonly messages: readonly Message[]
  /** What the log is told; the client is not. */
  readonly detail?: string
  /** Seconds after which a client may try again. */
  readonly retryAfter?: number
  /** True where the cause is an error of ours: it goes to the log with its stack. */
  readonly unexpected: boolean
}

/** Seconds after which a client may try again, where the reply is 503. */
export const RETRY_AFTER = '2'

const PROJECT_PREFIX = '/api/project/'

/** What a thrown thing is answered with. Whatever is not known is a blank 500. */
export function failureOf(error: unknown, path: string): Failure {
  if (isRefusal(error)) {
    const { messages, detail } = error
    return {
      status: statusOf(error, path),
      messages,
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

/** A project that breaks a rule of its model is 422; a pet that does is a malformed request. */
function statusOf(refusal: Refusal, path: string): number {
  if (refusal.code === 'invalid' && path.startsWith(PROJECT_PREFIX)) return 422
  return STATUS_OF[refusal.code]
}

/** The body in the shape of the path's prefix: an envelope below /api, an Error everywhere else. */
export function failureBody({ status, messages }: Failure, path: string): object {
  if (!path.startsWith('/api/')) return errorBody(status, messages)
  const shown = shownMessages(status, messages)
  const view = path.startsWith(PROJECT_PREFIX) ? { saved: false, messages: shown } : loggedOutView(shown)
  return { code: status, response: false, view }
}

/** `message` names the field of each message, as the pet routes have no place of their own for it. */
function errorBody(status: number, messages: readonly Message[]): { code: number; message: string } {
  const sentences = messages.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
  return { code: status, message: sentences.join('; ') }
}
