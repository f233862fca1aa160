import type { ZodOpenApiPathsObject } from 'zod-openapi'
import {
  identityEnvelopeSchema,
  loginBodySchema,
  logoutBodySchema,
  refreshBodySchema,
} from '../schemas/identity.js'
import type { HttpSettings } from '../settings.js'
import { clearedCookie, issuedCookie } from './cookies.js'
import { jsonRequest, operation } from './operation.js'
import * as refused from './refusals.js'
import { OPEN, provenBy } from './security.js'
import { IDENTITY, LOGGED_IN, LOGGED_OUT, LOGIN, REFRESH, REFRESHED } from './examples.js'

/** Login, current identity, refresh and logout. Without sessions no cookie is set or needed. */
export function identityPaths(settings: HttpSettings): ZodOpenApiPathsObject {
  return {
    '/api/auth/login': { post: login(settings) },
    '/api/auth/get-identity': { get: getIdentity(settings) },
    '/api/auth/refresh': { post: refresh(settings) },
    '/api/auth/logout': { post: logout(settings) },
  }
}

function login(settings: HttpSettings) {
  return operation(settings, {
    path: '/api/auth/login',
    id: 'login',
    summary: 'Log in',
    description: settings.stateless
      ? 'Nothing is stored: the two tokens are the login.'
      : 'Always opens a new session; the session of a valid cookie that is sent along is ended.',
    tag: 'identity',
    action: 'auth:login',
    security: OPEN,
    body: jsonRequest(loginBodySchema, LOGIN),
    replies: {
      200: {
        description: 'Logged in',
        schema: identityEnvelopeSchema,
        example: LOGGED_IN,
        headers: issuedCookie(settings),
      },
    },
    refusals: {
      400: refused.NO_TEXT('email'),
      401: refused.LOGIN_FAILED,
      403: refused.OTHER_ORIGIN,
      ...(settings.limitsAttempts && { 429: refused.TOO_MANY_ATTEMPTS }),
    },
  })
}

function getIdentity(settings: HttpSettings) {
  return operation(settings, {
    path: '/api/auth/get-identity',
    id: 'getIdentity',
    summary: 'Who is logged in',
    description: settings.stateless
      ? 'What the token says, as long as it is good.'
      : 'Cookie and token have to be of one session; neither alone proves a login.',
    tag: 'identity',
    action: 'auth:get-identity',
    security: [provenBy(settings)],
    replies: {
      200: {
        description: 'The identity; `jwt` and `refreshToken` are null',
        schema: identityEnvelopeSchema,
        example: IDENTITY,
      },
    },
    refusals: {
      401: refused.INVALID_TOKEN,
    },
  })
}

function refresh(settings: HttpSettings) {
  return operation(settings, {
    path: '/api/auth/refresh',
    id: 'refresh',
    summary: 'Renew the token pair',
    description: settings.stateless
      ? 'The roles in the new pair are those of now.'
      : 'Everybody who sends one refresh token inside the grace window gets the same new pair; so does, later, a tab with the current cookie.',
    tag: 'identity',
    action: 'auth:refresh',
    security: settings.stateless ? OPEN : [{ SessionCookie: [] }],
    body: jsonRequest(refreshBodySchema, REFRESH),
    replies: {
      200: {
        description: 'A new pair',
        schema: identityEnvelopeSchema,
        example: REFRESHED,
        headers: issuedCookie(settings),
      },
    },
    refusals: {
      400: refused.NO_TEXT('refreshToken'),
      401: refused.INVALID_TOKEN,
    },
  })
}

function logout(settings: HttpSettings) {
  return operation(settings, {
    path: '/api/auth/logout',
    id: 'logout',
    summary: 'Log out',
    description: 'Harmless where nobody is logged in.',
    tag: 'identity',
    action: 'auth:logout',
    security: [provenBy(settings), ...OPEN],
    body: jsonRequest(logoutBodySchema, {}, false),
    replies: {
      200: {
        description: 'Logged out',
        schema: identityEnvelopeSchema,
        example: LOGGED_OUT,
        headers: clearedCookie(settings),
      },
    },
    refusals: {
      400: refused.NOT_JSON,
      401: refused.INVALID_TOKEN,
    },
  })
}
