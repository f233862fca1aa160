import type { HttpInterface } from './http-interface.js'
import type { RequestObservers } from './parts.js'

/** The parts with which a host replies to a request itself. */
export type DirectParts = RequestObservers & {
  readonly http: HttpInterface
  /** Request paths begin with it. */
  readonly prefix: string
}

/** Keyed by the function itself, because a function around a handler may change each Request and each Response. */
const known = new WeakMap<object, DirectParts>()

/** Lets a host reply instead of this handler. */
export function registerDirect<Handler extends object>(handler: Handler, parts: DirectParts): Handler {
  known.set(handler, parts)
  return handler
}

/** The parts of a handler; `undefined` for any other function. */
export function directPartsOf(handler: object): DirectParts | undefined {
  return known.get(handler)
}
