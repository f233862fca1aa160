import { issuedCookie } from '../description/cookies.js'
import { REFRESH, REFRESHED } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { OPEN } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { negotiate } from '../request/negotiate.js'
import { refreshBodySchema } from '../schemas/identity.js'
import { issuedReply, presentedOf, presentedSession } from '../stages.js'

export const refresh: Endpoint = {
  method: 'POST',
  path: '/api/auth/refresh',
  operation: 'refresh',
  body: identityBody(refreshBodySchema, REFRESH),
  describe: (settings) => ({
    id: 'refresh',
    summary: 'Renew the token pair',
    description: settings.stateless
      ? 'The new pair has the current roles of the account.'
      : 'All requests with one refresh token in the grace window get the same new pair; later only requests with the current cookie get it.',
    tag: 'identity',
    security: settings.stateless ? OPEN : [{ SessionCookie: [] }],
    replies: { 200: identityReply('A new pair', REFRESHED, issuedCookie(settings)) },
    refusals: {
      400: refused.NO_TEXT('refreshToken'),
      401: refused.INVALID_TOKEN,
    },
  }),
  stages: (parts, json) => [presentedSession(parts, 'accepted'), negotiate, json],
  work:
    ({ useCases }) =>
    async (exchange) => {
      const { refreshToken } = exchange.json ?? {}
      const issued = await useCases.refresh({ refreshToken, presented: presentedOf(exchange) })
      return issuedReply(exchange, issued, { refreshed: true })
    },
}
