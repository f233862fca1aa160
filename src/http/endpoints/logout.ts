import { clearedCookie } from '../description/cookies.js'
import { LOGGED_OUT } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { OPEN, provenBy } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { loggedOutView, succeeded } from '../reply/envelope.js'
import { negotiate } from '../request/negotiate.js'
import { identityEnvelopeSchema, logoutBodySchema } from '../schemas/identity.js'
import { presentedOf, presentedSession } from '../stages.js'

export const logout: Endpoint = {
  method: 'POST',
  path: '/api/auth/logout',
  operation: 'logout',
  body: identityBody(logoutBodySchema, {}, false),
  describe: (settings) => ({
    id: 'logout',
    summary: 'Log out',
    description: 'Harmless where nobody is logged in.',
    tag: 'identity',
    security: [provenBy(settings), ...OPEN],
    replies: {
      200: {
        description: 'Logged out',
        schema: identityEnvelopeSchema,
        example: LOGGED_OUT,
        headers: clearedCookie(settings),
      },
    },
    refusals: {
      400: refused.NOT_JSON,
      401: refused.INVALID_TOKEN,
    },
  }),
  stages: (parts, json) => [presentedSession(parts, 'accepted'), negotiate, json],
  work:
    ({ useCases }) =>
    async (exchange) => {
      const presented = presentedOf(exchange)
      await useCases.logout(presented)
      return {
        status: 200,
        body: succeeded(200, loggedOutView()),
        ...(presented.sessionKey !== undefined && { session: 'ended' }),
      }
    },
}
