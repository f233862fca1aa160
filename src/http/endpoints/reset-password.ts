import { LOGGED_OUT, RESET } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { OPEN } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { loggedOutView, succeeded } from '../reply/envelope.js'
import { negotiate } from '../request/negotiate.js'
import { originGuard } from '../request/origin-guard.js'
import { identityEnvelopeSchema, resetBodySchema } from '../schemas/identity.js'
import { validate } from '../schemas/validate.js'
import { presentedOf, presentedSession } from '../stages.js'

/** Not permitted until it is configured. With a token or a password it consumes the token, else it requests a mail. */
export const resetPassword: Endpoint = {
  method: 'POST',
  path: '/api/auth/reset-password',
  operation: 'requestPasswordReset',
  body: identityBody(resetBodySchema, RESET),
  describe: (settings) => ({
    id: 'resetPassword',
    summary: 'Ask for a reset mail, or set another password with its token',
    description:
      'With `email` alone it asks, and the reply is the same whether or not there is such an account. With `email`, `resetToken` and `password` it sets the password, which ends all sessions of the account and logs nobody in.',
    tag: 'identity',
    security: OPEN,
    replies: {
      200: { description: 'Asked, or set', schema: identityEnvelopeSchema, example: LOGGED_OUT },
    },
    refusals: {
      400: refused.EMAIL_REQUIRED,
      401: refused.INVALID_TOKEN,
      403: refused.OTHER_ORIGIN,
      ...(settings.limitsAttempts && { 429: refused.TOO_MANY_ATTEMPTS }),
    },
  }),
  stages: (parts, json) => [presentedSession(parts, 'refused'), originGuard(parts.settings), negotiate, json],
  work:
    ({ useCases }) =>
    async (exchange) => {
      const { email, resetToken, password } = validate(resetBodySchema, exchange.json)
      const presented = presentedOf(exchange)
      if (resetToken === undefined && password === undefined)
        await useCases.requestPasswordReset({ email, presented })
      else await useCases.consumeResetToken({ email, resetToken, password, presented })
      return { status: 200, body: succeeded(200, loggedOutView()) }
    },
}
