import createSession from 'koa-session'
import type Koa from 'koa'
import type { SessionKey } from '../../domain/identity/session.js'
import type { Context, Middleware, RequestState } from './koa-request.js'
import { cookieName, type SessionCookieSettings } from '../../http/settings.js'

/** Only these two calls make koa-session write a cookie. */
export type SessionCookie = {
  /** Writes a key that a use case has just issued. */
  issue(ctx: Context, key: SessionKey): Promise<void>
  /** Removes the cookie from the client. */
  clear(ctx: Context): Promise<void>
}

/** The types of koa-session are mostly `any`. */
const session = createSession as unknown as (options: object, app: Koa<RequestState>) => Middleware

type KoaSession = { regenerate(): Promise<void> }

/**
 * koa-session writes the opaque key of a session and nothing else: the use cases manage sessions. Its store is empty, its
 * key is the presented or issued key, and it commits only on demand (`autoCommit` hashes the session on every request).
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
    store: { get: () => EMPTY, set: () => undefined, destroy: () => undefined },
  }
  const middleware = session(options, app)
  const open = (ctx: Context) => middleware(ctx, () => Promise.resolve()) as Promise<void>
  return {
    issue: async (ctx, key) => {
      await open(ctx)
      ctx.state.issuedSessionKey = key
      trustPublicUrl(ctx, settings.secure)
      await (ctx['session'] as KoaSession).regenerate()
    },
    clear: async (ctx) => {
      await open(ctx)
      const opened = ctx['session'] as KoaSession & { manuallyCommit(): Promise<void> }
      trustPublicUrl(ctx, settings.secure)
      ctx['session'] = null
      await opened.manuallyCommit()
    },
  }
}

/** The stored session of every key. */
const EMPTY: Promise<object> = Promise.resolve({})

/** The settings decide that cookies are secure, because a TLS proxy in front makes the socket look insecure. */
function trustPublicUrl(ctx: Context, secure: boolean): void {
  if (secure) ctx.cookies.secure = true
}
