import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa'
import type { Caller, Identity } from '../../domain/access/caller.js'
import type { Presented } from '../../application/identity/presented.js'
import type { SessionKey } from '../../domain/identity/session.js'

/** What the stages of one request hand to each other. */
export type RequestState = {
  requestId?: string
  /** Stateful credentials as they came, read once. */
  presented?: Presented
  /** A session key that a use case has just issued and the cookie has to carry. */
  issuedSessionKey?: SessionKey
  caller?: Caller
  identity?: Identity
  /** The parsed JSON body: an object, or `undefined` where none was sent. */
  json?: Readonly<Record<string, unknown>>
}

export type Context = ParameterizedContext<RequestState>
export type Middleware = KoaMiddleware<RequestState>

/** The part of the path that the router took for a parameter. */
export function pathParameter(ctx: Context, name: string): string {
  const parameters = ctx['params'] as Readonly<Record<string, string>> | undefined
  return parameters?.[name] ?? ''
}
