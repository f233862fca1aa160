import { clearedCookie } from '../description/cookies.js'
import { LOGGED_OUT, OWN_PASSWORD } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { loginRequirement } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { loggedOutView, succeeded } from '../reply/envelope.js'
import { deleteAccountBodySchema } from '../schemas/identity.js'
import { callingOwn, presentedOf } from '../stages.js'

/** Not permitted by default. */
export const deleteAccount: Endpoint = {
  method: 'POST',
  path: '/api/auth/delete-account',
  body: identityBody(deleteAccountBodySchema, OWN_PASSWORD),
  describe: (settings) => ({
    id: 'deleteAccount',
    summary: 'Delete the own account',
    description:
      'Needs the password, and a code if a second factor is active. Permanently deletes the account with its logins and all its data except the id.',
    tag: 'identity',
    security: [loginRequirement(settings)],
    replies: { 200: identityReply('Deleted, and logged out', LOGGED_OUT, clearedCookie(settings)) },
    refusals: {
      400: refused.PASSWORD_NOT_VALID,
      401: refused.INVALID_TOKEN,
      403: refused.WHILE_ACTING,
      // Attempts with codes are always limited.
      429: refused.TOO_MANY_ATTEMPTS,
    },
  }),
  ...callingOwn(
    'deleteAccount',
    ({ json: { password, code } = {} }) => ({ password, code }),
    (exchange) => ({
      status: 200,
      body: succeeded(200, loggedOutView()),
      ...(presentedOf(exchange).sessionKey !== undefined && { session: 'ended' }),
    }),
  ),
}
