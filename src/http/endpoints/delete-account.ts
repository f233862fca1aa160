import { clearedCookie } from '../description/cookies.js'
import { LOGGED_OUT, OWN_PASSWORD } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { loginRequirement } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { loggedOutView, succeeded } from '../reply/envelope.js'
import { deleteAccountBodySchema } from '../schemas/identity.js'
import { validate } from '../schemas/validate.js'
import { forLogins, presentedOf } from '../stages.js'

/** Not permitted by default. */
export const deleteAccount: Endpoint = {
  method: 'POST',
  path: '/api/auth/delete-account',
  operation: 'deleteAccount',
  body: identityBody(deleteAccountBodySchema, OWN_PASSWORD),
  describe: (settings) => ({
    id: 'deleteAccount',
    summary: 'Delete the own account',
    description:
      'Needs the password, and a code if a second factor is active. Permanently deletes the account with its logins and all its data except the id.',
    tag: 'identity',
    security: [loginRequirement(settings)],
    replies: { 200: identityReply('Deleted, and logged out', LOGGED_OUT, clearedCookie(settings)) },
    refusals: {
      400: refused.PASSWORD_NOT_VALID,
      401: refused.INVALID_TOKEN,
      403: refused.WHILE_ACTING,
      // Attempts with codes are always limited.
      429: refused.TOO_MANY_ATTEMPTS,
    },
  }),
  stages: forLogins,
  work:
    ({ useCases }) =>
    async (exchange) => {
      const { password, code } = validate(deleteAccountBodySchema, exchange.json)
      const presented = presentedOf(exchange)
      await useCases.deleteAccount({ password, code, presented })
      return {
        status: 200,
        body: succeeded(200, loggedOutView()),
        ...(presented.sessionKey !== undefined && { session: 'ended' }),
      }
    },
}
