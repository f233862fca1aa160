import type { IncomingMessage, ServerResponse } from 'node:http'
import type Koa from 'koa'
import { createHttpInterface } from '../../http/http-interface.js'
import type { Context, RequestState } from './koa-request.js'
import { createDirectReplies } from '../node/direct-replies.js'
import { replyToHalfClosed } from '../node/connection.js'
import { createStack } from './stack.js'
import type { HttpInterfaceParts } from '../../http/parts.js'
import type { Log } from '../../ports/log.js'
import type { Metrics } from '../../ports/metrics.js'

/** Dependencies of the HTTP service. A `Kennel` object provides the use cases and the settings. */
export type HttpServiceParts = HttpInterfaceParts & {
  /** Logs each request at level `info`, and logs each error. */
  readonly log: Log
  readonly metrics?: Metrics
}

/** Middleware for any Koa application. The type does not depend on Koa's type declarations. */
export type HttpService = {
  /** Replies to every request and never calls the next middleware. */
  (context: MountingContext): Promise<void>
  /** Returns a request handler for Node's HTTP server. */
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** The properties of a Koa context that a mounted service uses. */
type MountingContext = {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  status: number
  body: unknown
  readonly set: (name: string, value: string) => void
  readonly remove: (name: string) => void
}

/**
 * Creates the HTTP service without starting a server. `service.callback()` returns a handler for Node's server. Another Koa application can
 * mount the service with koa-mount under the same `prefix`, before any middleware that reads request bodies. Throws a TypeError for a
 * malformed prefix.
 */
export function createHttpService(parts: HttpServiceParts): HttpService {
  const { log, metrics } = parts
  const http = createHttpInterface(parts)
  const app = createStack(http, parts)
  const callback = () => {
    const throughKoa = app.callback()
    const replyDirectly = createDirectReplies({ http, log, metrics, prefix: '' })
    return async (req: IncomingMessage, res: ServerResponse) => {
      replyToHalfClosed(req.socket)
      if (!replyDirectly(req, res)) await throughKoa(req, res)
    }
  }
  return Object.assign(mountable(app), { callback })
}

type Run = (ctx: Context) => Promise<void>
/** Adds a method that Koa's type declarations omit. */
type KoaWithCompose = Koa<RequestState> & { compose(middleware: readonly unknown[]): Run }

/**
 * The middleware runs the service in a separate context and then copies the reply, because the application's context has different state,
 * sessions and proxy settings.
 */
function mountable(app: Koa<RequestState>): (context: MountingContext) => Promise<void> {
  const run = (app as KoaWithCompose).compose(app.middleware)
  return async (context) => {
    replyToHalfClosed(context.req.socket)
    const separate = app.createContext<RequestState>(context.req, context.res)
    await run(separate)
    copyReply(separate, context)
  }
}

/**
 * Copies the status, the body and the content type; the two contexts already share all headers. Setting the body may change the content
 * type, so the body is set first.
 */
function copyReply(from: Context, ctx: MountingContext): void {
  const type = from.response.get('Content-Type')
  ctx.status = from.status
  ctx.body = from.body
  if (type) ctx.set('Content-Type', type)
  else ctx.remove('Content-Type')
}
