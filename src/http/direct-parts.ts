import type { HttpInterface } from './http-interface.js'
import type { RequestObservers } from './parts.js'

/** The dependencies that a host needs to reply to requests directly. */
export type DirectParts = RequestObservers & {
  readonly http: HttpInterface
  /** The path prefix of all requests to the service. */
  readonly prefix: string
}

/** Keyed by the handler itself: a wrapper may change requests and responses, so it must not get these parts. */
const known = new WeakMap<object, DirectParts>()

/** Registers the parts of a handler, so that a host can reply directly instead of calling the handler. */
export function registerDirect<Handler extends object>(handler: Handler, parts: DirectParts): Handler {
  known.set(handler, parts)
  return handler
}

/** Returns the parts of a handler; returns `undefined` for any other function. */
export function directPartsOf(handler: object): DirectParts | undefined {
  return known.get(handler)
}
