import { clearedCookie } from '../description/headers.js'
import { LOGGED_OUT } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { OPEN, loginRequirement } from '../description/security.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { logoutBodySchema } from '../schemas/identity.js'
import { loggedOutReply, presentedOf, presentedSession } from '../stages.js'

/** Declares `POST /api/auth/logout`. */
export const logout: Endpoint = {
  method: 'POST',
  path: '/api/auth/logout',
  operation: 'logout',
  body: bodyOf(logoutBodySchema, {}, { required: false }),
  describe: (settings) => ({
    summary: 'Log out',
    description: 'Also succeeds without a login.',
    security: [loginRequirement(settings), ...OPEN],
    replies: { 200: identityReply('Logged out', LOGGED_OUT, clearedCookie(settings)) },
    refusals: { 400: refused.NOT_JSON },
  }),
  stages: (parts, json) => [presentedSession(parts, 'accepted'), json],
  work:
    ({ useCases }) =>
    async (exchange) => {
      await useCases.logout(presentedOf(exchange))
      return loggedOutReply(exchange)
    },
}
