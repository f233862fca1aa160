import { LOGGED_OUT, RESET } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { OPEN } from '../description/security.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { loggedOutView, succeeded } from '../reply/envelope.js'
import { resetBodySchema } from '../schemas/identity.js'
import { forEveryone, presentedOf } from '../stages.js'

/**
 * Declares `POST /api/auth/reset-password`; by default, no caller has the permission. A request with a token sets a new password. A request
 * without a token makes the service send an email.
 */
export const resetPassword: Endpoint = {
  method: 'POST',
  path: '/api/auth/reset-password',
  operation: 'requestPasswordReset',
  body: bodyOf(resetBodySchema, RESET),
  describe: (settings) => ({
    id: 'resetPassword',
    summary: 'Request a password-reset email, or set a new password with the token from the email',
    description:
      '`email` alone requests the mail; the reply does not depend on whether the account exists. Send `email`, `resetToken` and `password` to set a new password; this ends all sessions of the account and does not log in.',
    security: OPEN,
    replies: { 200: identityReply('Email requested, or password set', LOGGED_OUT) },
    refusals: {
      400: refused.EMAIL_REQUIRED,
      403: refused.OTHER_ORIGIN,
      ...refused.tooManyAttempts(settings),
    },
  }),
  stages: forEveryone,
  work:
    ({ useCases }) =>
    async (exchange) => {
      const { email, resetToken, password } = exchange.json ?? {}
      const presented = presentedOf(exchange)
      if (resetToken === undefined && password === undefined)
        await useCases.requestPasswordReset({ email, presented })
      else await useCases.consumeResetToken({ email, resetToken, password, presented })
      return { status: 200, body: succeeded(200, loggedOutView()) }
    },
}
