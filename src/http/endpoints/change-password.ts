import { issuedCookie } from '../description/cookies.js'
import { CHANGE_PASSWORD, LOGGED_IN } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { loginRequirement } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { changePasswordBodySchema } from '../schemas/identity.js'
import { callingOwn, issuedReply } from '../stages.js'

export const changePassword: Endpoint = {
  method: 'POST',
  path: '/api/auth/change-password',
  body: identityBody(changePasswordBodySchema, CHANGE_PASSWORD),
  describe: (settings) => ({
    id: 'changePassword',
    summary: 'Change the password of the own account',
    description: 'Needs the current password. All logins of the account end; the reply has a new login.',
    tag: 'identity',
    security: [loginRequirement(settings)],
    replies: {
      200: identityReply('Changed; the previous credentials are void', LOGGED_IN, issuedCookie(settings)),
    },
    refusals: {
      400: refused.PASSWORD_NOT_VALID,
      401: refused.INVALID_TOKEN,
      403: refused.WHILE_ACTING,
      ...(settings.limitsAttempts && { 429: refused.TOO_MANY_ATTEMPTS }),
    },
  }),
  ...callingOwn(
    'changePassword',
    ({ json: { password, newPassword } = {} }) => ({ password, newPassword }),
    issuedReply,
  ),
}
