import { loginCookie } from '../description/headers.js'
import { LOGGED_IN, LOGIN } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { OPEN } from '../description/security.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { originGuard } from '../request/origin-guard.js'
import { loginBodySchema } from '../schemas/identity.js'
import { calling, issuedReply, presentedSession } from '../stages.js'

/** Declares `POST /api/auth/login`. */
export const login: Endpoint = {
  method: 'POST',
  path: '/api/auth/login',
  body: bodyOf(loginBodySchema, LOGIN),
  describe: (settings) => ({
    summary: 'Log in',
    description: `${
      settings.stateless
        ? 'The service stores nothing: the two tokens are the login.'
        : 'Always opens a new session, and ends the session of the cookie in the request, if it is valid.'
    } If the account has a second factor, a correct password without \`code\` gets 401 with the message \`second-factor-required\`.`,
    security: OPEN,
    replies: { 200: identityReply('Logged in', LOGGED_IN, loginCookie(settings)) },
    refusals: {
      400: refused.NO_TEXT('email'),
      401: refused.LOGIN_FAILED,
      403: refused.OTHER_ORIGIN,
      429: refused.TOO_MANY_ATTEMPTS,
    },
  }),
  ...calling(
    'login',
    ({ json: { email, password, code, remember } = {} }, { rememberLogin }) => ({
      ...{ email, password, code },
      ...(rememberLogin && { remember }),
    }),
    issuedReply,
  ),
  stages: (parts, json) => [presentedSession(parts, 'refused'), originGuard(parts.settings), json],
}
