import type Router from '@koa/router'
import type { Identity } from '../../../domain/access/caller.js'
import { inOrder, type RequestState, type Stage } from '../context.js'
import { identityView, loggedOutView, succeeded } from '../reply/envelope.js'
import type { SessionCookie } from '../reply/session-cookie.js'
import { negotiate } from '../request/negotiate.js'
import { originGuard } from '../request/origin-guard.js'
import { loginBodySchema, refreshBodySchema } from '../schemas/identity.js'
import { validate } from '../schemas/validate.js'
import type { HttpSettings } from '../settings.js'
import type { HttpUseCases } from '../use-cases.js'
import { answerIssued, optionalBody, presentedOf, presentedSession, requiredBody } from './stages.js'

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
  const { carry } = cookie
  const presented = presentedSession(useCases, settings, 'refused')
  const ofAnyAge = presentedSession(useCases, settings, 'accepted')
  const guard = originGuard(settings)
  // A bad token is told before anything else; nothing is lost by reading first.
  router.get('/api/auth/get-identity', inOrder(presented, getIdentity(useCases), negotiate))
  router.post(
    '/api/auth/login',
    inOrder(presented, guard, negotiate, requiredBody, carry, login(useCases, cookie)),
  )
  router.post(
    '/api/auth/refresh',
    inOrder(ofAnyAge, negotiate, requiredBody, carry, refresh(useCases, cookie)),
  )
  router.post('/api/auth/logout', inOrder(ofAnyAge, negotiate, optionalBody, carry, logout(useCases, cookie)))
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

function logout(useCases: HttpUseCases, cookie: SessionCookie): Stage {
  return async (ctx) => {
    const presented = presentedOf(ctx)
    await useCases.logout(presented)
    if (presented.sessionKey !== undefined) await cookie.clear(ctx)
    ctx.body = succeeded(200, loggedOutView())
  }
}
