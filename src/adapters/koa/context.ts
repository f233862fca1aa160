import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa'
import type { SessionKey } from '../../domain/identity/session.js'
import type { Exchange } from '../../http/exchange.js'
import type { HttpRequest } from '../../http/message.js'

/** Its request says whether the reply leaves a body unread. */
type KoaExchange = Exchange & { readonly request: HttpRequest & { readonly isBodyUnread: boolean } }

/** What Koa's middleware keeps of one request. */
export type RequestState = {
  requestId?: string
  /** The pattern of the route that was found, or of its path where only the method did not fit. */
  route?: string | undefined
  /** What the stages of its endpoint know of it. */
  exchange?: KoaExchange
  /** A session key that a use case has just issued and the cookie has to carry. */
  issuedSessionKey?: SessionKey
}

export type Context = ParameterizedContext<RequestState>
export type Middleware = KoaMiddleware<RequestState>
