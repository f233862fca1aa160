import { issuedCookie } from '../description/headers.js'
import { CHANGE_PASSWORD, LOGGED_IN } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { changePasswordBodySchema } from '../schemas/identity.js'
import { calling, issuedReply } from '../stages.js'

/** Declares `POST /api/auth/change-password`. */
export const changePassword: Endpoint = {
  method: 'POST',
  path: '/api/auth/change-password',
  body: bodyOf(changePasswordBodySchema, CHANGE_PASSWORD),
  describe: (settings) => ({
    summary: 'Change the password of your own account',
    description: 'Needs the current password. All logins of the account end; the reply has a new login.',
    replies: {
      200: identityReply('Changed; the previous credentials are void', LOGGED_IN, issuedCookie(settings)),
    },
    refusals: {
      400: refused.PASSWORD_NOT_VALID,
      ...(settings.limitsAttempts && { 429: refused.TOO_MANY_ATTEMPTS }),
    },
  }),
  ...calling(
    'changePassword',
    ({ json: { password, newPassword } = {} }) => ({ password, newPassword }),
    issuedReply,
  ),
}
