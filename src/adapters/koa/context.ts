import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa'
import type { SessionKey } from '../../domain/identity/session.js'
import type { Exchange } from '../../http/exchange.js'
import type { HttpRequest } from '../../http/message.js'

type KoaExchange = Exchange & { readonly request: HttpRequest & { readonly isBodyUnread: boolean } }

/** The state of one request in Koa's middleware. */
export type RequestState = {
  requestId?: string
  /** The pattern of the route; also if only the path fits and the method does not. */
  route?: string | undefined
  exchange?: KoaExchange
  /** A session key that a use case has just issued for the cookie. */
  issuedSessionKey?: SessionKey
}

export type Context = ParameterizedContext<RequestState>
export type Middleware = KoaMiddleware<RequestState>
