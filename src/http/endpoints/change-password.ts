import { issuedCookie } from '../description/cookies.js'
import { CHANGE_PASSWORD, LOGGED_IN } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { provenBy } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { changePasswordBodySchema, identityEnvelopeSchema } from '../schemas/identity.js'
import { validate } from '../schemas/validate.js'
import { forLogins, issuedReply, presentedOf } from '../stages.js'

export const changePassword: Endpoint = {
  method: 'POST',
  path: '/api/auth/change-password',
  operation: 'changePassword',
  body: identityBody(changePasswordBodySchema, CHANGE_PASSWORD),
  describe: (settings) => ({
    id: 'changePassword',
    summary: 'Change one’s own password',
    description:
      'By the current one. Every login of the account ends, and this reply has the credentials of a new one in the place of this one.',
    tag: 'identity',
    security: [provenBy(settings)],
    replies: {
      200: {
        description: 'Changed; the previous credentials are dead',
        schema: identityEnvelopeSchema,
        example: LOGGED_IN,
        headers: issuedCookie(settings),
      },
    },
    refusals: {
      400: refused.PASSWORD_NOT_VALID,
      401: refused.INVALID_TOKEN,
      403: refused.WHILE_ACTING,
      ...(settings.limitsAttempts && { 429: refused.TOO_MANY_ATTEMPTS }),
    },
  }),
  stages: forLogins,
  work:
    ({ useCases }) =>
    async (exchange) => {
      const { password, newPassword } = validate(changePasswordBodySchema, exchange.json)
      const presented = presentedOf(exchange)
      return issuedReply(exchange, await useCases.changePassword({ password, newPassword, presented }))
    },
}
