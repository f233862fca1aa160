import type Router from '@koa/router'
import { inOrder, type RequestState, type Stage } from '../context.js'
import { loggedOutView, succeeded } from '../reply/envelope.js'
import { negotiate } from '../request/negotiate.js'
import { originGuard } from '../request/origin-guard.js'
import { loginAsBodySchema, resetBodySchema } from '../schemas/identity.js'
import { validate } from '../schemas/validate.js'
import type { SessionCookie } from '../reply/session-cookie.js'
import type { HttpSettings } from '../settings.js'
import type { HttpUseCases } from '../use-cases.js'
import {
  answerIssued,
  identified,
  optionalBody,
  presentedOf,
  presentedSession,
  requiredBody,
  tokenGate,
} from './identity.js'

/** Password reset and impersonation: nobody may do these until they are granted. */
export function furtherActionRoutes(
  router: Router<RequestState>,
  useCases: HttpUseCases,
  settings: HttpSettings,
  cookie: SessionCookie,
): void {
  const presented = presentedSession(settings)
  const token = tokenGate(useCases, 'refused')
  const guard = originGuard(settings)
  const loggedIn = identified(useCases)
  const { carry } = cookie
  router.post(
    '/api/auth/reset-password',
    inOrder(presented, token, guard, negotiate, requiredBody, resetPassword(useCases)),
  )
  router.post(
    '/api/auth/login-as',
    inOrder(presented, loggedIn, negotiate, requiredBody, carry, loginAs(useCases, cookie)),
  )
  router.post(
    '/api/auth/logout-as',
    inOrder(presented, loggedIn, negotiate, optionalBody, carry, logoutAs(useCases, cookie)),
  )
}

/** With a token or a password it is about redeeming, else about asking. */
function resetPassword(useCases: HttpUseCases): Stage {
  return async (ctx) => {
    const { email, resetToken, password } = validate(resetBodySchema, ctx.state.json)
    const presented = presentedOf(ctx)
    if (resetToken === undefined && password === undefined)
      await useCases.requestPasswordReset({ email, presented })
    else await useCases.consumeResetToken({ email, resetToken, password, presented })
    ctx.body = succeeded(200, loggedOutView())
  }
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
