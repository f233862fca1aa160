import { issuedCookie } from '../description/cookies.js'
import { REFRESH, REFRESHED } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { OPEN } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { negotiate } from '../request/negotiate.js'
import { identityEnvelopeSchema, refreshBodySchema } from '../schemas/identity.js'
import { validate } from '../schemas/validate.js'
import { issuedReply, presentedOf, presentedSession } from '../stages.js'

/** Without sessions no cookie is set or needed. */
export const refresh: Endpoint = {
  method: 'POST',
  path: '/api/auth/refresh',
  operation: 'refresh',
  body: identityBody(refreshBodySchema, REFRESH),
  describe: (settings) => ({
    id: 'refresh',
    summary: 'Renew the token pair',
    description: settings.stateless
      ? 'The roles in the new pair are those of now.'
      : 'Everybody who sends one refresh token inside the grace window gets the same new pair; so does, later, a tab with the current cookie.',
    tag: 'identity',
    security: settings.stateless ? OPEN : [{ SessionCookie: [] }],
    replies: {
      200: {
        description: 'A new pair',
        schema: identityEnvelopeSchema,
        example: REFRESHED,
        headers: issuedCookie(settings),
      },
    },
    refusals: {
      400: refused.NO_TEXT('refreshToken'),
      401: refused.INVALID_TOKEN,
    },
  }),
  stages: (parts, json) => [presentedSession(parts, 'accepted'), negotiate, json],
  work:
    ({ useCases }) =>
    async (exchange) => {
      const { refreshToken } = validate(refreshBodySchema, exchange.json)
      const issued = await useCases.refresh({ refreshToken, presented: presentedOf(exchange) })
      return issuedReply(exchange, issued, { refreshed: true })
    },
}
