import { loginCookie } from '../description/headers.js'
import { REFRESH, REFRESHED } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { OPEN } from '../description/security.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { refreshBodySchema } from '../schemas/identity.js'
import { calling, issuedReply, presentedSession } from '../stages.js'

/** Declares `POST /api/auth/refresh`. */
export const refresh: Endpoint = {
  method: 'POST',
  path: '/api/auth/refresh',
  body: bodyOf(refreshBodySchema, REFRESH),
  describe: (settings) => ({
    summary: 'Renew the token pair',
    description: settings.stateless
      ? 'The new pair has the current roles of the account.'
      : 'All requests with one refresh token in the grace window get the same new pair; later only requests with the current cookie get it.',
    security: settings.stateless ? OPEN : [{ SessionCookie: [] }],
    replies: { 200: identityReply('A new pair', REFRESHED, loginCookie(settings)) },
    refusals: {
      400: refused.NO_TEXT('refreshToken'),
      ...(settings.stateless && { 403: refused.TOO_MANY_ROLES }),
    },
  }),
  ...calling(
    'refresh',
    ({ json: { refreshToken } = {} }) => ({ refreshToken }),
    (issued, context) => issuedReply(issued, context, { refreshed: true }),
  ),
  stages: (parts, json) => [presentedSession(parts, 'accepted'), json],
}
