import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa'
import type { Caller, Identity } from '../../domain/access/caller.js'
import type { CheckedCredentials } from '../../application/identity/presented.js'
import type { SessionKey } from '../../domain/identity/session.js'

/** What the stages of one request hand to each other. */
export type RequestState = {
  requestId?: string
  /** The credentials, read and checked once. */
  presented?: CheckedCredentials
  /** A session key that a use case has just issued and the cookie has to carry. */
  issuedSessionKey?: SessionKey
  caller?: Caller
  identity?: Identity
  /** The parsed JSON body: an object, or `undefined` where none was sent. */
  json?: Readonly<Record<string, unknown>>
}

export type Context = ParameterizedContext<RequestState>
export type Middleware = KoaMiddleware<RequestState>

/** One check or step of a route; what it finds wrong it throws. */
export type Stage = (ctx: Context) => Promise<void> | void

/**
 * A route's stages in their order. Flat, where nested middleware would cost a promise a stage,
 * and most of them have nothing to wait for.
 */
export function inOrder(...stages: readonly Stage[]): Middleware {
  return async (ctx) => {
    for (const stage of stages) {
      const underWay = stage(ctx)
      if (underWay) await underWay
    }
  }
}

/** The part of the path that the router took for a parameter. */
export function pathParameter(ctx: Context, name: string): string {
  const parameters = ctx['params'] as Readonly<Record<string, string>> | undefined
  return parameters?.[name] ?? ''
}
