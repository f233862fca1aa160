import { clearedCookie } from '../description/headers.js'
import { LOGGED_OUT, OWN_PASSWORD } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { deleteAccountBodySchema } from '../schemas/identity.js'
import { calling, loggedOutReply } from '../stages.js'

/** Declares `POST /api/auth/delete-account`; by default, no caller has the permission. */
export const deleteAccount: Endpoint = {
  method: 'POST',
  path: '/api/auth/delete-account',
  body: bodyOf(deleteAccountBodySchema, OWN_PASSWORD),
  describe: (settings) => ({
    summary: 'Delete your own account',
    description:
      'Needs the password, and a code if a second factor is active. Permanently deletes the account with its logins and all its data except the id.',
    replies: { 200: identityReply('Deleted, and logged out', LOGGED_OUT, clearedCookie(settings)) },
    refusals: {
      400: refused.PASSWORD_NOT_VALID,
      // The number of attempts with codes is always limited.
      429: refused.TOO_MANY_ATTEMPTS,
    },
  }),
  ...calling(
    'deleteAccount',
    ({ json: { password, code } = {} }) => ({ password, code }),
    (_deleted, { exchange }) => loggedOutReply(exchange),
  ),
}
