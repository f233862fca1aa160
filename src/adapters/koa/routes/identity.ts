import type Router from '@koa/router'
import type { Issued } from '../../../application/identity/issue.js'
import type { Identity } from '../../../domain/access/caller.js'
import { originOf } from '../request/client-address.js'
import { inOrder, type Context, type RequestState, type Stage } from '../context.js'
import { identityView, issuedView, loggedOutView, succeeded } from '../reply/envelope.js'
import { jsonBody } from '../request/json-body.js'
import { negotiate } from '../request/negotiate.js'
import { originGuard } from '../request/origin-guard.js'
import { readPresented } from '../request/presented-session.js'
import { loginBodySchema, refreshBodySchema } from '../schemas/identity.js'
import { validate } from '../schemas/validate.js'
import { cookieName } from '../reply/cookie-name.js'
import type { SessionCookie } from '../reply/session-cookie.js'
import type { HttpSettings } from '../settings.js'
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
 * Login, current identity, refresh and logout below /api/auth, in the order of checks: form of
 * the credentials, token, CSRF and content type, body, then what the use case checks.
 */
export function identityRoutes(
  router: Router<RequestState>,
  useCases: HttpUseCases,
  settings: HttpSettings,
  cookie: SessionCookie,
): void {
  const presented = presentedSession(settings)
  const { carry } = cookie
  const token = tokenGate(useCases, 'refused')
  const anyAge = tokenGate(useCases, 'accepted')
  const guard = originGuard(settings)
  // A bad token is told before anything else; nothing is lost by reading first.
  router.get('/api/auth/get-identity', inOrder(presented, getIdentity(useCases), negotiate))
  router.post(
    '/api/auth/login',
    inOrder(presented, token, guard, negotiate, requiredBody, carry, login(useCases, cookie)),
  )
  router.post(
    '/api/auth/refresh',
    inOrder(presented, anyAge, negotiate, requiredBody, carry, refresh(useCases, cookie)),
  )
  router.post(
    '/api/auth/logout',
    inOrder(presented, anyAge, negotiate, optionalBody, carry, logout(useCases, cookie)),
  )
}

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

/** Refuses whoever is not logged in before the body is looked at, and leaves the identity in the state. */
export function identified(useCases: HttpUseCases): Stage {
  return async (ctx) => {
    ctx.state.identity = await useCases.authenticate(presentedOf(ctx))
  }
}

export function presentedOf(ctx: Context) {
  return ctx.state.presented ?? {}
}

function getIdentity(useCases: HttpUseCases): Stage {
  return async (ctx) => {
    const identity = await useCases.getIdentity(presentedOf(ctx))
    ctx.state.identity = identity
    ctx.body = textOf(identity)
    ctx.type = 'application/json'
  }
}

const texts = new WeakMap<Identity, string>()

/** One frozen identity may be asked for many times; then its reply is written once. */
function textOf(identity: Identity): string {
  const known = texts.get(identity)
  if (known !== undefined) return known
  const text = JSON.stringify(succeeded(200, identityView(identity)))
  if (Object.isFrozen(identity)) texts.set(identity, text)
  return text
}

function login(useCases: HttpUseCases, cookie: SessionCookie): Stage {
  return async (ctx) => {
    const { email, password } = validate(loginBodySchema, ctx.state.json)
    await answerIssued(ctx, cookie, await useCases.login({ email, password, presented: presentedOf(ctx) }))
  }
}

function refresh(useCases: HttpUseCases, cookie: SessionCookie): Stage {
  return async (ctx) => {
    const { refreshToken } = validate(refreshBodySchema, ctx.state.json)
    const issued = await useCases.refresh({ refreshToken, presented: presentedOf(ctx) })
    await answerIssued(ctx, cookie, issued, { refreshed: true })
  }
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

function logout(useCases: HttpUseCases, cookie: SessionCookie): Stage {
  return async (ctx) => {
    const presented = presentedOf(ctx)
    await useCases.logout(presented)
    if (presented.sessionKey !== undefined) await cookie.clear(ctx)
    ctx.body = succeeded(200, loggedOutView())
  }
}
