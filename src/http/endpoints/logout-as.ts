import { issuedCookie } from '../description/headers.js'
import { LOGGED_IN } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { logoutBodySchema } from '../schemas/identity.js'
import { calling, issuedReply } from '../stages.js'

/** Declares `POST /api/auth/logout-as`. */
export const logoutAs: Endpoint = {
  method: 'POST',
  path: '/api/auth/logout-as',
  body: bodyOf(logoutBodySchema, {}, { required: false }),
  describe: (settings) => ({
    summary: 'Stop acting as another account',
    description:
      'The reply has new credentials of the own account; the credentials of the impersonation are void.',
    replies: {
      200: identityReply('The identity is your own account again', LOGGED_IN, issuedCookie(settings)),
    },
    refusals: { 400: refused.NOT_JSON, 403: refused.NOT_ACTING },
  }),
  ...calling('logoutAs', () => ({}), issuedReply),
}
