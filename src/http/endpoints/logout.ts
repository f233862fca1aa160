import { clearedCookie } from '../description/cookies.js'
import { LOGGED_OUT } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { OPEN, loginRequirement } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { loggedOutView, succeeded } from '../reply/envelope.js'
import { negotiate } from '../request/negotiate.js'
import { logoutBodySchema } from '../schemas/identity.js'
import { presentedOf, presentedSession } from '../stages.js'

export const logout: Endpoint = {
  method: 'POST',
  path: '/api/auth/logout',
  operation: 'logout',
  body: identityBody(logoutBodySchema, {}, false),
  describe: (settings) => ({
    id: 'logout',
    summary: 'Log out',
    description: 'Succeeds without a login too.',
    tag: 'identity',
    security: [loginRequirement(settings), ...OPEN],
    replies: { 200: identityReply('Logged out', LOGGED_OUT, clearedCookie(settings)) },
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
