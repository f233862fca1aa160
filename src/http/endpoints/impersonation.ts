import { ACTING, LOGGED_IN, LOGIN_AS } from '../description/examples.js'
import { issuedCookie } from '../description/headers.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { loginAsBodySchema, logoutBodySchema } from '../schemas/identity.js'
import { calling, issuedReply, members } from '../stages.js'

/** The routes for acting as another account; by default, only the role `admin` has the permission to begin. */
export const impersonation: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/api/auth/login-as',
    body: bodyOf(loginAsBodySchema, LOGIN_AS),
    describe: (settings) => ({
      summary: 'Act as another account',
      description:
        'The reply has new credentials with the permissions of the other account; the previous credentials are void. Ends after at most one hour. Always needs a code if your own account has a second factor.',
      replies: {
        200: identityReply(
          '`user` is the other account, and `userAs` is your own account',
          ACTING,
          issuedCookie(settings),
        ),
      },
      refusals: {
        400: refused.USER_ID_FORMAT,
        403: refused.ADMINISTRATOR,
        404: refused.NO_ACCOUNT,
        429: refused.TOO_MANY_ATTEMPTS,
      },
    }),
    ...calling('loginAs', members('userId', 'code'), issuedReply),
  },
  {
    method: 'POST',
    path: '/api/auth/logout-as',
    body: bodyOf(logoutBodySchema, {}, { required: false }),
    describe: (settings) => ({
      summary: 'Stop acting as another account',
      description:
        'The reply has new credentials for your own account; the credentials of the impersonation are void.',
      replies: {
        200: identityReply('The identity is your own account again', LOGGED_IN, issuedCookie(settings)),
      },
      refusals: { 400: refused.NOT_JSON, 403: refused.NOT_ACTING },
    }),
    ...calling('logoutAs', () => ({}), issuedReply),
  },
]
