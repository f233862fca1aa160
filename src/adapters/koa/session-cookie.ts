import createSession from 'koa-session'
import type Koa from 'koa'
import type { SessionKey } from '../../domain/identity/session.js'
import type { Context, Middleware, RequestState } from './context.js'
import { cookieName, type SessionCookieSettings } from '../../http/settings.js'

/** Only these two calls make koa-session write a cookie. */
export type SessionCookie = {
  /** Puts a key that a use case has just issued into the cookie. */
  issue(ctx: Context, key: SessionKey): Promise<void>
  /** Takes the cookie away from the client. */
  clear(ctx: Context): Promise<void>
}

/** koa-session's own types say `any` for most of this. */
const session = createSession as unknown as (options: object, app: Koa<RequestState>) => Middleware

type KoaSession = { regenerate(): Promise<void> }

/**
 * koa-session carries the opaque key in and out and decides nothing: the life of a session is
 * the use cases' affair. So its store keeps nothing, its key is the one that was presented
 * or issued, and it commits only when told (`autoCommit` hashes the session on every request).
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
  const write = (ctx: Context, value: string | null) => {
    trustPublicUrl(ctx, settings.secure)
    ctx.cookies.set(name, value, attributes)
  }
  const options = {
    ...attributes,
    key: name,
    maxAge: 'session',
    autoCommit: false,
    genid: (ctx: Context) => ctx.state.issuedSessionKey ?? '',
    externalKey: {
      get: (ctx: Context) => ctx.state.exchange?.presented?.sessionKey ?? '',
      set: (ctx: Context, value: string) => {
        write(ctx, value)
      },
    },
    store: { get: () => CARRIED, set: () => undefined, destroy: () => undefined },
  }
  const middleware = session(options, app)
  const carry = (ctx: Context) => middleware(ctx, () => Promise.resolve()) as Promise<void>
  return {
    issue: async (ctx, key) => {
      await carry(ctx)
      ctx.state.issuedSessionKey = key
      trustPublicUrl(ctx, settings.secure)
      await (ctx['session'] as KoaSession).regenerate()
    },
    clear: async (ctx) => {
      await carry(ctx)
      const carried = ctx['session'] as KoaSession & { manuallyCommit(): Promise<void> }
      trustPublicUrl(ctx, settings.secure)
      ctx['session'] = null
      await carried.manuallyCommit()
    },
  }
}

/** What koa-session reads for a presented key: nothing is in it, the use cases look the key up. */
const CARRIED: Promise<object> = Promise.resolve({})

/** Behind a proxy that ends TLS the socket is plain: the public URL decided that cookies are secure. */
function trustPublicUrl(ctx: Context, secure: boolean): void {
  if (secure) ctx.cookies.secure = true
}
