import {
  isRefusal,
  type Message,
  type MessageType,
  type Refusal,
  type TooManyAttempts,
} from '../../domain/refusal.js'
import { loggedOutView, shownMessages } from './envelope.js'
import { STATUS_OF } from '../refusal-status.js'
import { JSON_TYPE } from '../message.js'
import { HttpError } from './http-error.js'

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

/** A reply to a refusal, for routes of an embedder's own; `Response.json(reply.body, reply)` makes one of fetch. */
export type RefusalReply = {
  readonly status: number
  /** The type of the body, `Cache-Control`, and where waiting helps `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>
  /** As the pet routes tell a failure: the status, and every message in one text. */
  readonly body: { readonly code: number; readonly message: string }
}

/** Seconds after which a client may try again, where the reply is 503. */
export const RETRY_AFTER = '2'

const PROJECTS = '/api/project'

/** What a thrown thing is answered with. Whatever is not known is a blank 500. */
export function failureOf(error: unknown, path: string): Failure {
  if (isRefusal(error)) {
    const { messages, detail } = error
    return {
      status: statusAt(error, path),
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

export function isProjectPath(path: string): boolean {
  return path === PROJECTS || path.startsWith(`${PROJECTS}/`)
}

/** A project that breaks a rule of its model is 422; a pet that does is a malformed request. */
function statusAt(refusal: Refusal, path: string): number {
  if (refusal.code === 'invalid' && isProjectPath(path)) return 422
  return STATUS_OF[refusal.code]
}

/** The body in the shape of the path's prefix: an envelope below /api, an Error everywhere else. */
export function failureBody({ status, messages }: Failure, path: string): object {
  if (!path.startsWith('/api/')) return errorBody(status, messages)
  const shown = shownMessages(status, messages)
  const view = isProjectPath(path) ? { saved: false, messages: shown } : loggedOutView(shown)
  return { code: status, response: false, view }
}

/** `message` names the field of each message, as the pet routes have no place of their own for it. */
function errorBody(status: number, messages: readonly Message[]): { code: number; message: string } {
  const sentences = messages.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
  return { code: status, message: sentences.join('; ') }
}

/** When a client may try again. */
export function retryAfter({ status, retryAfter: seconds }: Failure): { readonly 'Retry-After'?: string } {
  if (seconds !== undefined) return { 'Retry-After': String(seconds) }
  return status === 503 ? { 'Retry-After': RETRY_AFTER } : {}
}

/**
 * What a route of an embedder's own answers a refusal with, as the HTTP interface does outside of `/api`. Holds what the
 * caller may know and no more. Throws what is no refusal, as it is: it is an unexpected error of the program.
 */
export function replyOf(error: unknown): RefusalReply {
  if (!isRefusal(error)) throw error
  const failure = failureOf(error, '/')
  const { status, messages } = failure
  const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', ...retryAfter(failure) }
  return { status, headers, body: errorBody(status, messages) }
}
