import type Router from '@koa/router'
import { inOrder, type RequestState, type Stage } from '../context.js'
import type { SessionCookie } from '../reply/session-cookie.js'
import { negotiate } from '../request/negotiate.js'
import { loginAsBodySchema } from '../schemas/identity.js'
import { validate } from '../schemas/validate.js'
import type { HttpSettings } from '../settings.js'
import type { HttpUseCases } from '../use-cases.js'
import {
  answerIssued,
  identified,
  optionalBody,
  presentedOf,
  presentedSession,
  requiredBody,
} from './stages.js'

/** Impersonation: not permitted until it is configured. */
export function impersonationRoutes(
  router: Router<RequestState>,
  useCases: HttpUseCases,
  settings: HttpSettings,
  cookie: SessionCookie,
): void {
  const presented = presentedSession(useCases, settings, 'refused')
  const loggedIn = identified(useCases)
  const { carry } = cookie
  router.post(
    '/api/auth/login-as',
    inOrder(presented, loggedIn, negotiate, requiredBody, carry, loginAs(useCases, cookie)),
  )
  router.post(
    '/api/auth/logout-as',
    inOrder(presented, loggedIn, negotiate, optionalBody, carry, logoutAs(useCases, cookie)),
  )
}

function loginAs(useCases: HttpUseCases, cookie: SessionCookie): Stage {
  return async (ctx) => {
    const { userId } = validate(loginAsBodySchema, ctx.state.json)
    await answerIssued(ctx, cookie, await useCases.loginAs({ userId, presented: presentedOf(ctx) }))
  }
}

function logoutAs(useCases: HttpUseCases, cookie: SessionCookie): Stage {
  return async (ctx) => {
    await answerIssued(ctx, cookie, await useCases.logoutAs({ presented: presentedOf(ctx) }))
  }
}
