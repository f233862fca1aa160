import { issuedCookie } from '../description/cookies.js'
import { LOGGED_IN } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { loginRequirement } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { logoutBodySchema } from '../schemas/identity.js'
import { callingOwn, issuedReply } from '../stages.js'

export const logoutAs: Endpoint = {
  method: 'POST',
  path: '/api/auth/logout-as',
  body: identityBody(logoutBodySchema, {}, false),
  describe: (settings) => ({
    id: 'logoutAs',
    summary: 'Stop acting as another account',
    description:
      'The reply has new credentials of the own account; the credentials of the impersonation are void.',
    tag: 'identity',
    security: [loginRequirement(settings)],
    replies: { 200: identityReply('The own account again', LOGGED_IN, issuedCookie(settings)) },
    refusals: { 400: refused.NOT_JSON, 401: refused.INVALID_TOKEN, 403: refused.NOT_ACTING },
  }),
  ...callingOwn('logoutAs', () => ({}), issuedReply),
}
