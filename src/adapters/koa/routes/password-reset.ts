import type Router from '@koa/router'
import { inOrder, type RequestState, type Stage } from '../context.js'
import { loggedOutView, succeeded } from '../reply/envelope.js'
import { negotiate } from '../request/negotiate.js'
import { originGuard } from '../request/origin-guard.js'
import { resetBodySchema } from '../schemas/identity.js'
import { validate } from '../schemas/validate.js'
import type { HttpSettings } from '../settings.js'
import type { HttpUseCases } from '../use-cases.js'
import { presentedOf, presentedSession, requiredBody } from './stages.js'

/** Password reset: not permitted until it is configured. */
export function passwordResetRoutes(
  router: Router<RequestState>,
  useCases: HttpUseCases,
  settings: HttpSettings,
): void {
  router.post(
    '/api/auth/reset-password',
    inOrder(
      presentedSession(useCases, settings, 'refused'),
      originGuard(settings),
      negotiate,
      requiredBody,
      resetPassword(useCases),
    ),
  )
}

/** With a token or a password it consumes the token, else it requests a mail. */
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
