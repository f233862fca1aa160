import { issuedCookie } from '../description/cookies.js'
import { LOGGED_IN } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { provenBy } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { identityEnvelopeSchema, logoutBodySchema } from '../schemas/identity.js'
import { forLogins, issuedReply, presentedOf } from '../stages.js'

export const logoutAs: Endpoint = {
  method: 'POST',
  path: '/api/auth/logout-as',
  operation: 'logoutAs',
  body: identityBody(logoutBodySchema, {}, false),
  describe: (settings) => ({
    id: 'logoutAs',
    summary: 'Stop acting as another account',
    description: 'New credentials of oneself; those of the impersonation are dead.',
    tag: 'identity',
    security: [provenBy(settings)],
    replies: {
      200: {
        description: 'Oneself again',
        schema: identityEnvelopeSchema,
        example: LOGGED_IN,
        headers: issuedCookie(settings),
      },
    },
    refusals: { 400: refused.NOT_JSON, 401: refused.INVALID_TOKEN, 403: refused.NOT_ACTING },
  }),
  stages: forLogins,
  work:
    ({ useCases }) =>
    async (exchange) =>
      issuedReply(exchange, await useCases.logoutAs({ presented: presentedOf(exchange) })),
}
