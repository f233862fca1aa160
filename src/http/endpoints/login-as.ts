import { issuedCookie } from '../description/cookies.js'
import { ACTING, LOGIN_AS } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { provenBy } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { identityEnvelopeSchema, loginAsBodySchema } from '../schemas/identity.js'
import { validate } from '../schemas/validate.js'
import { forLogins, issuedReply, presentedOf } from '../stages.js'

/** Not permitted until it is configured. */
export const loginAs: Endpoint = {
  method: 'POST',
  path: '/api/auth/login-as',
  operation: 'loginAs',
  body: identityBody(loginAsBodySchema, LOGIN_AS),
  describe: (settings) => ({
    id: 'loginAs',
    summary: 'Act as another account',
    description:
      'New credentials; those of before are dead. All grants are those of the other account. Ends by itself after an hour at most. Where one has a second factor it needs a code, however one has logged in.',
    tag: 'identity',
    security: [provenBy(settings)],
    replies: {
      200: {
        description: '`user` is the other account, `userAs` oneself',
        schema: identityEnvelopeSchema,
        example: ACTING,
        headers: issuedCookie(settings),
      },
    },
    refusals: {
      400: refused.USER_ID_FORMAT,
      401: refused.INVALID_TOKEN,
      403: refused.ADMINISTRATOR,
      404: refused.NO_ACCOUNT,
      429: refused.TOO_MANY_ATTEMPTS,
    },
  }),
  stages: forLogins,
  work:
    ({ useCases }) =>
    async (exchange) => {
      const { userId, code } = validate(loginAsBodySchema, exchange.json)
      const issued = await useCases.loginAs({ userId, code, presented: presentedOf(exchange) })
      return issuedReply(exchange, issued)
    },
}
