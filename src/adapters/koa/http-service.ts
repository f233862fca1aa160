import Router from '@koa/router'
import Koa from 'koa'
import { createHttpInterface, type HttpInterface } from '../../http/http-interface.js'
import { JSON_TYPE, type HttpReply } from '../../http/message.js'
import type { Context, Middleware, RequestState } from './context.js'
import { KoaRequest } from './koa-request.js'
import { lingerAfterLast } from '../node/unread-body.js'
import type { HttpService, HttpServiceParts, MountingContext } from './service.js'
import { createSessionCookie, type SessionCookie } from './session-cookie.js'
import type { RequestObservers } from '../../http/parts.js'
import { isObserved, requestMethod, tellRequest, UNMATCHED } from '../../http/request-log.js'

/**
 * The whole service, which listens to nothing yet: `service.callback()` is a handler for a server, and another
 * Koa application can mount it, with koa-mount below the same `prefix` and before anything of its own that reads
 * bodies. Throws a TypeError for a prefix of another form.
 */
export function createHttpService(parts: HttpServiceParts): HttpService {
  const { settings, log, metrics } = parts
  const http = createHttpInterface(parts)
  const app = new Koa<RequestState>()
  app.on('error', (error: unknown) => {
    if (!isGone(error)) log.error('reply failed', { error })
  })
  const host = { http, cookie: createSessionCookie(app, settings.cookie) }
  app.use(requestLog({ log, metrics }))
  app.use(begin(http))
  const router = routerOf(host)
  const otherwise = unmatched(host)
  app.use(plainRoutes(router, otherwise))
  app.use(router.routes() as unknown as Middleware)
  app.use(otherwise)
  return Object.assign(mountable(app), { callback: () => app.callback() })
}

type Answer = (ctx: Context) => Promise<void>
type Host = { readonly http: HttpInterface; readonly cookie: SessionCookie }

/** Headers are written to Node's reply at once, where Koa's error path and a request that breaks off would find them too. */
function begin(http: HttpInterface): Middleware {
  return (ctx, next) => {
    const request = new KoaRequest(ctx, http.proxies)
    ctx.state.exchange = { request }
    ctx.state.requestId = http.requestId(request.header('x-request-id'), request.peer)
    setHeaders(ctx, http.headersFor(request))
    ctx.res.setHeader('X-Request-Id', ctx.state.requestId)
    return next()
  }
}

function routerOf(host: Host): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  for (const route of host.http.routes) {
    router.register(route.path, [route.method], async (ctx: Context) => {
      ctx.state.route = route.path
      await send(host.cookie, ctx, await host.http.answer(route, exchangeOf(ctx)))
    })
  }
  return router
}

/**
 * The routes of the router whose paths have no parameter, by path and method: for each request it would compare all of
 * its patterns, and put a chain together. A pattern that fits such a path as well has no say there, whatever the method.
 */
function plainRoutes({ stack: layers }: Router<RequestState>, otherwise: Answer): Middleware {
  const known = new Map<string, Map<string, Answer>>()
  for (const { path, methods, stack: chain } of layers) {
    const [answer] = chain as unknown as readonly Answer[]
    if (typeof path !== 'string' || path.includes(':') || !answer) continue
    const byMethod = known.get(path) ?? new Map<string, Answer>()
    known.set(path, byMethod)
    for (const method of methods) byMethod.set(method, answer)
  }
  return (ctx, next) => {
    const { path } = exchangeOf(ctx).request
    // The router cannot read the target either.
    if (path === '') return otherwise(ctx)
    const byMethod = known.get(path)
    if (!byMethod) return next()
    return (byMethod.get(ctx.method) ?? otherwise)(ctx)
  }
}

function unmatched({ http, cookie }: Host): Answer {
  return async (ctx) => {
    const { request } = exchangeOf(ctx)
    ctx.state.route = http.patternAt(request.path)
    await send(cookie, ctx, http.preflight(request) ?? http.unmatched(request))
  }
}

function exchangeOf({ state: { exchange } }: Context) {
  if (!exchange) throw new TypeError('A request has reached the router before it was begun.')
  return exchange
}

async function send(cookie: SessionCookie, ctx: Context, reply: HttpReply): Promise<void> {
  const { status, headers = {}, session } = reply
  if (session === 'ended') await cookie.clear(ctx)
  else if (session !== undefined) await cookie.issue(ctx, session)
  ctx.status = status
  setHeaders(ctx, headers)
  setBody(ctx, reply)
  if (exchangeOf(ctx).request.isBodyUnread) closeAfter(ctx)
  if (!ctx.req.complete) discardBody(ctx)
}

/** `Vary` adds to what an application that has mounted the service may have said already. */
function setHeaders(ctx: Context, headers: Readonly<Record<string, string>>): void {
  const { res } = ctx
  // An answer has been sent already, such as 408 for a body that is late.
  if (res.headersSent) return
  for (const name in headers) {
    if (name === 'Vary') ctx.vary(headers[name] ?? '')
    else res.setHeader(name, headers[name] ?? '')
  }
}

/** An object stays one: an application that has mounted the service sees it. */
function setBody(ctx: Context, { body, type = JSON_TYPE }: HttpReply): void {
  if (body === undefined || body === '') {
    ctx.body = body ?? null
    // Koa calls an empty text plain text; there is nothing to be of a type.
    ctx.remove('Content-Type')
    return
  }
  setHeaders(ctx, { 'Content-Type': type })
  // Koa knows bytes as a Buffer alone.
  ctx.body = body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body
}

/** The rest of the request may still come (RFC 9112, 9.3). A stream of HTTP/2 ends by itself. */
function closeAfter(ctx: Context): void {
  if (ctx.req.httpVersionMajor !== 1) return
  setHeaders(ctx, { Connection: 'close' })
  lingerAfterLast(ctx.req.socket)
}

/**
 * Reads the rest of a body and throws it away, for as long as REQUEST_TIMEOUT lets it come: a
 * connection that is closed on unread bytes is reset, and the client would not see its answer.
 */
function discardBody({ req }: Context): void {
  req.unpipe()
  req.resume()
}

/** The client hung up before it had its answer: no error of ours. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}

type Run = (ctx: Context) => Promise<void>
/** Koa's own composition; its types leave it out. */
type Composing = Koa<RequestState> & { compose(middleware: readonly unknown[]): Run }

/**
 * A middleware for another application. The context is that one's: its state, its session and its trust in proxies are
 * not ours, so the request gets a context of our own, and the answer is handed over for the other one to send.
 */
function mountable(app: Koa<RequestState>): (context: MountingContext) => Promise<void> {
  const run = (app as Composing).compose(app.middleware)
  return async (context) => {
    const own = app.createContext<RequestState>(context.req, context.res)
    await run(own)
    handOver(own, context)
  }
}

/** The headers are on Node's reply already; what setting the body makes of the type is taken back. */
function handOver(own: Context, ctx: MountingContext): void {
  const type = own.response.get('Content-Type')
  ctx.status = own.status
  ctx.body = own.body
  if (type) ctx.set('Content-Type', type)
  else ctx.remove('Content-Type')
}

/** Tells of each request once it is over. */
function requestLog(observers: RequestObservers): Middleware {
  return (ctx, next) => {
    if (!isObserved(observers)) return next()
    const begun = performance.now()
    // On the connection's end as well, and once in any case: a client that hangs up is told of too.
    ctx.res.on('close', () => {
      const { res, state } = ctx
      if (!state.exchange) return
      const method = requestMethod(ctx.req.method ?? '')
      const { route = UNMATCHED } = state
      const status = res.headersSent ? res.statusCode : 'aborted'
      const duration = performance.now() - begun
      tellRequest(observers, { method, route, status, duration }, state.exchange)
    })
    return next()
  }
}
