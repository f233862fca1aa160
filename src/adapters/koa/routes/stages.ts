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

/**
 * Reads the credentials once, strictly, and checks the access token, which is refused before the body is looked at;
 * every later stage takes them from the state. An expired one is left to the use case where that is said.
 */
export function presentedSession(
  useCases: HttpUseCases,
  settings: HttpSettings,
  expired: 'refused' | 'accepted',
): Stage {
  const header = settings.authorizationHeader.toLowerCase()
  const name = settings.stateless ? undefined : cookieName(settings.cookie)
  return async (ctx) => {
    const { bearer, sessionKey } = readPresented(ctx.req, header, name)
    const accessToken = bearer === undefined ? bearer : await useCases.checkAccessToken(bearer, { expired })
    ctx.state.presented = { accessToken, sessionKey, client: originOf(ctx) }
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
