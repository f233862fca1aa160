import type { Issued } from '../../../application/identity/issue.js'
import type { Context, Stage } from '../context.js'
import { issuedView, succeeded } from '../reply/envelope.js'
import type { SessionCookie } from '../reply/session-cookie.js'
import { originOf } from '../request/client-address.js'
import { jsonBody } from '../request/json-body.js'
import { readPresented } from '../request/presented-session.js'
import { cookieName, type HttpSettings } from '../settings.js'
import type { HttpUseCases } from '../use-cases.js'

/** Bodies of the identity routes are small. */
const IDENTITY_BODY_LIMIT = 16 * 1024

export const requiredBody = jsonBody({
  limit: IDENTITY_BODY_LIMIT,
  types: ['application/json'],
  required: true,
})
export const optionalBody = jsonBody({
  limit: IDENTITY_BODY_LIMIT,
  types: ['application/json'],
  required: false,
})

/** Reads the credentials once, strictly; every later stage takes them from the state. */
export function presentedSession(settings: HttpSettings): Stage {
  const header = settings.authorizationHeader.toLowerCase()
  const name = settings.stateless ? undefined : cookieName(settings.cookie)
  return (ctx) => {
    ctx.state.presented = { ...readPresented(ctx.req, header, name), client: originOf(ctx) }
  }
}

/** Refuses a bad token before the body is looked at; the use case judges it again, from the cache. */
export function tokenGate(useCases: HttpUseCases, expired: 'refused' | 'accepted'): Stage {
  return async (ctx) => {
    await useCases.checkAccessToken(presentedOf(ctx).accessToken, { expired })
  }
}

/** Refuses a caller who is not logged in before the body is looked at, and leaves the identity in the state. */
export function identified(useCases: HttpUseCases): Stage {
  return async (ctx) => {
    ctx.state.identity = await useCases.authenticate(presentedOf(ctx))
  }
}

export function presentedOf(ctx: Context) {
  return ctx.state.presented ?? {}
}

/** New credentials, the cookie among them where there is one. */
export async function answerIssued(
  ctx: Context,
  cookie: SessionCookie,
  issued: Issued,
  { refreshed } = { refreshed: false },
): Promise<void> {
  ctx.state.identity = issued.identity
  if (issued.sessionKey !== undefined) await cookie.issue(ctx, issued.sessionKey)
  ctx.body = succeeded(200, issuedView(issued, refreshed))
}
