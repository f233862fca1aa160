import createSession from 'koa-session'
import type Koa from 'koa'
import type { Context, Middleware, RequestState } from './koa-request.js'
import type { IssuedCookie } from '../../http/message.js'
import { setCookie } from '../../http/reply/reply-headers.js'
import { cookieName, type SessionCookieSettings } from '../../http/parts.js'

/** Writes and clears the session cookie; koa-session writes a cookie only in these two calls. */
export type SessionCookie = {
  /** Writes the session key that a use case has just issued. */
  issue(ctx: Context, cookie: IssuedCookie): Promise<void>
  /** Removes the cookie from the client. */
  clear(ctx: Context): Promise<void>
}

/** The cast is needed because the types of koa-session are mostly `any`. */
const session = createSession as unknown as (options: object, app: Koa<RequestState>) => Middleware

type KoaSession = { regenerate(): Promise<void> }

/**
 * The use cases manage sessions; koa-session is used only to write the opaque session key to a cookie. koa-session has an empty store, uses
 * the presented or issued key as its session key, and commits only on demand (`autoCommit` would hash the session on every request).
 */
export function createSessionCookie(app: Koa<RequestState>, settings: SessionCookieSettings): SessionCookie {
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
