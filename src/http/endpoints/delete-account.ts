import { clearedCookie } from '../description/cookies.js'
import { LOGGED_OUT, OWN_PASSWORD } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { provenBy } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { loggedOutView, succeeded } from '../reply/envelope.js'
import { deleteAccountBodySchema, identityEnvelopeSchema } from '../schemas/identity.js'
import { validate } from '../schemas/validate.js'
import { forLogins, presentedOf } from '../stages.js'

/** Not permitted until it is configured. */
export const deleteAccount: Endpoint = {
  method: 'POST',
  path: '/api/auth/delete-account',
  operation: 'deleteAccount',
  body: identityBody(deleteAccountBodySchema, OWN_PASSWORD),
  describe: (settings) => ({
    id: 'deleteAccount',
    summary: 'Delete one’s own account',
    description:
      'By its password, and a code where a second factor is active, and for good: with all its logins and with all that is kept about it but its id.',
    tag: 'identity',
    security: [provenBy(settings)],
    replies: {
      200: {
        description: 'Deleted, and logged out',
        schema: identityEnvelopeSchema,
        example: LOGGED_OUT,
        headers: clearedCookie(settings),
      },
    },
    refusals: {
      400: refused.PASSWORD_NOT_VALID,
      401: refused.INVALID_TOKEN,
      403: refused.WHILE_ACTING,
      // Codes are limited in any case.
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
