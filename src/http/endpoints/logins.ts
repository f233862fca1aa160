import { loginFailed } from '../../application/identity/login.js'
import type { Identity } from '../../domain/access/caller.js'
import { MUST_BE } from '../../domain/messages.js'
import { tooManyRoles } from '../../domain/refusal.js'
import {
  IDENTITY,
  LOGGED_IN,
  LOGGED_OUT,
  LOGIN,
  REFRESH,
  REFRESHED,
  ACTING,
  LOGIN_AS,
} from '../description/examples.js'
import { clearedCookie, loginCookie, issuedCookie } from '../description/headers.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { loginRequirement, OPEN } from '../description/security.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { type HttpReply, remembered } from '../message.js'
import { identityView, succeeded } from '../reply/envelope.js'
import { browserSecretIn } from '../request/credentials.js'
import {
  loginBodySchema,
  logoutBodySchema,
  refreshBodySchema,
  loginAsBodySchema,
} from '../schemas/identity.js'
import {
  calling,
  forEveryone,
  issuedReply,
  loggedOutReply,
  presentedOf,
  presentedSession,
  members,
} from '../stages.js'

export const logins: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/api/auth/login',
    body: bodyOf(loginBodySchema, LOGIN),
    describe: (settings) => ({
      summary: 'Log in',
      description: `${
        settings.stateless
          ? 'The service stores nothing: the two tokens are the login.'
          : 'Always opens a new session, and ends any session whose cookie is in the request.'
      } If the account has a second factor, a correct password without \`code\`${settings.passkeyDomain ? ' or `passkey`' : ''} gets 401 with the message \`second-factor-required\`.`,
      security: OPEN,
      replies: { 200: identityReply('Logged in', LOGGED_IN, loginCookie(settings)) },
      refusals: {
        400: refused.NO_TEXT('email'),
        401: loginFailed().messages,
        403: refused.OTHER_ORIGIN,
        429: refused.TOO_MANY_ATTEMPTS,
      },
    }),
    ...calling(
      'login',
      ({ request, json: { email, password, code, passkey, remember } = {} }, settings) => ({
        ...{ email, password, code },
        ...(settings.passkeyDomain && {
          passkey,
          browserSecret: browserSecretIn('passkey', request, settings),
        }),
        ...(settings.rememberLogin && { remember }),
      }),
      issuedReply,
    ),
    stages: forEveryone,
  },
  {
    method: 'GET',
    path: '/api/auth/get-identity',
    operation: 'getIdentity',
    describe: (settings) => ({
      summary: 'Get the current identity',
      description: settings.stateless
        ? 'Returns the identity in the token as long as the token is valid.'
        : 'Cookie and token must belong to one session; neither alone proves a login.',
      replies: { 200: identityReply('The identity; `jwt` and `refreshToken` are null', IDENTITY) },
    }),
    stages: (parts) => [presentedSession(parts, 'refused')],
    work:
      ({ useCases }) =>
      async (exchange) => {
        const identity = await useCases.getIdentity(presentedOf(exchange))
        exchange.identity = identity
        return replyOf(identity)
      },
  },
  {
    method: 'POST',
    path: '/api/auth/refresh',
    body: bodyOf(refreshBodySchema, REFRESH),
    describe: (settings) => ({
      summary: 'Renew the token pair',
      description: settings.stateless
        ? 'The new tokens contain the current roles of the account.'
        : 'Within the grace window, all requests with the same refresh token get the same new pair; later, only requests with the current cookie get it.',
      security: settings.stateless ? OPEN : [{ SessionCookie: [] }],
      replies: { 200: identityReply('A new pair', REFRESHED, loginCookie(settings)) },
      refusals: {
        400: refused.NO_TEXT('refreshToken'),
        ...(settings.stateless && { 403: tooManyRoles('').messages }),
      },
    }),
    ...calling('refresh', members('refreshToken'), (issued, context) =>
      issuedReply(issued, context, { refreshed: true }),
    ),
    stages: (parts, json) => [presentedSession(parts, 'accepted'), json],
  },
  {
    method: 'POST',
    path: '/api/auth/logout',
    operation: 'logout',
    body: bodyOf(logoutBodySchema, {}, { required: false }),
    describe: (settings) => ({
      summary: 'Log out',
      description: 'Also succeeds without a login.',
      security: [loginRequirement(settings), ...OPEN],
      replies: { 200: identityReply('Logged out', LOGGED_OUT, clearedCookie(settings)) },
      refusals: { 400: refused.NOT_JSON },
    }),
    stages: (parts, json) => [presentedSession(parts, 'accepted'), json],
    work:
      ({ useCases }) =>
      async (exchange) => {
        await useCases.logout(presentedOf(exchange))
        return loggedOutReply(exchange)
      },
  },
]

const replyOf = remembered((identity: Identity): HttpReply => ({
  status: 200,
  body: JSON.stringify(succeeded(200, identityView(identity))),
}))

/** The routes for acting as another account; by default, only the role `admin` may start to do so. */
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
        400: refused.messageOf('Format', MUST_BE.id, 'userId'),
        403: refused.messageOf('Forbidden', 'You cannot act as an administrator.', 'userId'),
        404: refused.messageOf('NotFound', 'There is no such account, or it is disabled.', 'userId'),
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
      refusals: {
        400: refused.NOT_JSON,
        403: refused.messageOf('Forbidden', 'You are not acting as another account.'),
      },
    }),
    ...calling('logoutAs', () => ({}), issuedReply),
  },
]
