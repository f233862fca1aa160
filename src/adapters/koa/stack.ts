import Router from '@koa/router'
import Koa from 'koa'
import type { HttpInterface } from '../../http/http-interface.js'
import { JSON_TYPE, type HttpReply, type IssuedCookie } from '../../http/message.js'
import type { Route } from '../../http/routes.js'
import { KoaRequest, type Context, type Middleware, type RequestState } from './koa-request.js'
import { createRequestObserver } from '../node/message-request.js'
import { isHangUp, lingerAfterLast } from '../node/connection.js'
import {
  type HttpInterfaceParts,
  type RequestObservers,
  cookieName,
  type SessionCookieSettings,
} from '../../http/parts.js'
import createSession from 'koa-session'
import { setCookie } from '../../http/reply/reply-headers.js'

/** Builds the Koa application: request observer, headers, routes, and the reply to unmatched requests. */
export function createStack(
  http: HttpInterface,
  { settings, log, metrics }: Pick<HttpInterfaceParts, 'settings'> & RequestObservers,
): Koa<RequestState> {
  const app = new Koa<RequestState>()
  app.on('error', (error: unknown) => {
    if (!isHangUp(error)) log.error('reply failed', { error })
  })
  const host = { http, cookie: createSessionCookie(app, settings.cookie) }
  const observe = createRequestObserver({ log, metrics })
  app.use((ctx, next) => {
    observe(ctx)
    return next()
  })
  app.use(begin(http))
  const otherwise = answerUnmatched(host)
  app.use(staticRoutes(host, otherwise))
  app.use(routerOf(host).routes() as unknown as Middleware)
  app.use(otherwise)
  return app
}

type Answer = (ctx: Context) => Promise<void>
type Host = { readonly http: HttpInterface; readonly cookie: SessionCookie }

/** Sets headers on Node's response, because Koa's error replies and replies to aborted requests need them too. */
function begin(http: HttpInterface): Middleware {
  return (ctx, next) => {
    const request = new KoaRequest(ctx, http.proxies)
    ctx.state.exchange = { request }
    const requestId = answeredId(ctx) ?? http.requestId(request.header('x-request-id'), request.peer)
    ctx.state.requestId = requestId
    setHeaders(ctx, { ...http.headersFor(request), 'X-Request-Id': requestId })
    return next()
  }
}

/** Returns the request ID of a reply that the server sent to a malformed request before the Koa application ran. */
function answeredId({ res }: Context): string | undefined {
  const id = res.getHeader('X-Request-Id')
  return res.headersSent && typeof id === 'string' ? id : undefined
}

function routerOf(host: Host): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  for (const route of host.http.routes) {
    router.register(route.path, [route.method], (ctx: Context) => answerBy(host, route, ctx))
  }
  return router
}

/**
 * Looks up routes without parameters first, because the router would otherwise compare every pattern with each request. For all methods, a
 * route without parameters takes precedence over a matching pattern.
 */
function staticRoutes(host: Host, otherwise: Answer): Middleware {
  const { http } = host
  const staticPaths = new Set(http.routes.map(({ path }) => path).filter((path) => !path.includes(':')))
  return (ctx, next) => {
    const { path } = exchangeOf(ctx).request
    // A request target that cannot be parsed cannot be routed.
    if (path === '') return otherwise(ctx)
    if (!staticPaths.has(path)) return next()
    const found = http.find(ctx.method, path)
    return found ? answerBy(host, found.route, ctx) : otherwise(ctx)
  }
}

async function answerBy({ http, cookie }: Host, route: Route, ctx: Context): Promise<void> {
  ctx.state.route = route.path
  await send(cookie, ctx, await http.answer(route, exchangeOf(ctx)))
}

function answerUnmatched({ http, cookie }: Host): Answer {
  return async (ctx) => {
    const { request } = exchangeOf(ctx)
    ctx.state.route = http.patternAt(request.path)
    await send(cookie, ctx, http.preflight(request) ?? http.unmatched(request))
  }
}

function exchangeOf({ state: { exchange } }: Context) {
  if (!exchange) throw new TypeError('A request reached the router without an exchange in its state.')
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

/** Sets the headers, but extends an existing `Vary` header of the mounting application. */
function setHeaders(ctx: Context, headers: Readonly<Record<string, string>>): void {
  const { res } = ctx
  // The server may have replied already, for example with 408 because the body arrived too late.
  if (res.headersSent) return
  for (const name in headers) {
    if (name === 'Vary') ctx.vary(headers[name] ?? '')
    else res.setHeader(name, headers[name] ?? '')
  }
}

/** Sets the reply body; objects are not serialized yet, so that the mounting application can change them. */
function setBody(ctx: Context, { body, type = JSON_TYPE }: HttpReply): void {
  if (body === undefined || body === '') {
    ctx.body = body ?? null
    // Koa sets the content type text/plain for an empty string.
    ctx.remove('Content-Type')
    return
  }
  setHeaders(ctx, { 'Content-Type': type })
  // Koa accepts bytes only as a Buffer.
  ctx.body = body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body
}

/** Closes an HTTP/1 connection after the reply, because the rest of the body may still arrive (RFC 9112, 9.3). */
function closeAfter(ctx: Context): void {
  if (ctx.req.httpVersionMajor !== 1) return
  setHeaders(ctx, { Connection: 'close' })
  lingerAfterLast(ctx.req.socket)
}

/**
 * Reads and discards the rest of a request body, until REQUEST_TIMEOUT has elapsed. Closing a connection with unread bytes would reset it,
 * and the client would lose the reply.
 */
function discardBody({ req }: Context): void {
  req.unpipe()
  req.resume()
}

/** Writes and clears the session cookie; koa-session writes a cookie only in these two calls. */
type SessionCookie = {
  issue(ctx: Context, cookie: IssuedCookie): Promise<void>
  clear(ctx: Context): Promise<void>
}

/** The cast is needed because the types of koa-session are mostly `any`. */
const session = createSession as unknown as (options: object, app: Koa<RequestState>) => Middleware

type KoaSession = { regenerate(): Promise<void> }

/**
 * The use cases manage sessions; koa-session is used only to write the opaque session key to a cookie. koa-session has an empty store, uses
 * the presented or issued key as its session key, and commits only on demand (`autoCommit` would hash the session on every request).
 */
function createSessionCookie(app: Koa<RequestState>, settings: SessionCookieSettings): SessionCookie {
  const name = cookieName(settings)
  const attributes = {
    httpOnly: true,
    secure: settings.secure,
    sameSite: settings.sameSite,
    path: '/',
    overwrite: true,
    signed: false,
    ...(settings.sameSite === 'none' && { partitioned: true }),
  } as const
  const { issued } = setCookie(settings)
  const write = (ctx: Context, value: string) => {
    ctx.cookies.set(name, value, attributes)
    const maxAge = ctx.state.issuedCookie?.maxAge
    if (maxAge === undefined) return
    // Koa's cookie API does not support `Max-Age`.
    const lines = [ctx.response.get('Set-Cookie')].flat()
    const line = issued(value, maxAge)
    ctx.set(
      'Set-Cookie',
      lines.map((one) => (one.startsWith(`${name}=`) ? line : one)),
    )
  }
  const options = {
    ...attributes,
    key: name,
    maxAge: 'session',
    autoCommit: false,
    genid: (ctx: Context) => ctx.state.issuedCookie?.sessionKey ?? '',
    externalKey: {
      get: (ctx: Context) => ctx.state.exchange?.presented?.sessionKey ?? '',
      set: write,
    },
    store: { get: () => EMPTY_SESSION, set: () => undefined, destroy: () => undefined },
  }
  const middleware = session(options, app)
  const open = (ctx: Context) => middleware(ctx, () => Promise.resolve()) as Promise<void>
  return {
    issue: async (ctx, cookie) => {
      await open(ctx)
      ctx.state.issuedCookie = cookie
      allowSecureCookies(ctx, settings.secure)
      await (ctx['session'] as KoaSession).regenerate()
    },
    clear: async (ctx) => {
      await open(ctx)
      const opened = ctx['session'] as KoaSession & { manuallyCommit(): Promise<void> }
      allowSecureCookies(ctx, settings.secure)
      ctx['session'] = null
      await opened.manuallyCommit()
    },
  }
}

const EMPTY_SESSION: Promise<object> = Promise.resolve({})

/** Marks the request as secure if the settings require secure cookies, because the socket behind a TLS proxy is not encrypted. */
function allowSecureCookies(ctx: Context, secure: boolean): void {
  if (secure) ctx.cookies.secure = true
}
