import type { ZodOpenApiPathsObject } from 'zod-openapi'
import {
  identityEnvelopeSchema,
  loginAsBodySchema,
  logoutBodySchema,
  resetBodySchema,
} from '../schemas/identity.js'
import type { HttpSettings } from '../settings.js'
import { issuedCookie } from './cookies.js'
import { jsonRequest } from './identity.js'
import { operation } from './operation.js'
import * as refused from './refusals.js'
import { OPEN, provenBy } from './security.js'
import { ACTING, LOGGED_IN, LOGGED_OUT, LOGIN_AS, RESET } from './views.js'

/** Password reset and impersonation. */
export function furtherActionPaths(settings: HttpSettings): ZodOpenApiPathsObject {
  return {
    '/api/auth/reset-password': { post: resetPassword(settings) },
    '/api/auth/login-as': { post: loginAs(settings) },
    '/api/auth/logout-as': { post: logoutAs(settings) },
  }
}

function resetPassword(settings: HttpSettings) {
  return operation(settings, {
    path: '/api/auth/reset-password',
    id: 'resetPassword',
    summary: 'Ask for a reset mail, or set another password with its token',
    description:
      'With `email` alone it asks, and the reply is the same whether or not there is such an account. With `email`, `resetToken` and `password` it sets the password, which ends all sessions of the account and logs nobody in.',
    tag: 'identity',
    grant: 'auth:reset-password',
    security: OPEN,
    body: jsonRequest(resetBodySchema, RESET),
    replies: {
      200: { description: 'Inputs, or set', schema: identityEnvelopeSchema, example: LOGGED_OUT },
    },
    refusals: {
      400: refused.EMAIL_REQUIRED,
      401: refused.INVALID_TOKEN,
      403: refused.OTHER_ORIGIN,
      ...(settings.limitsAttempts && { 429: refused.TOO_MANY_ATTEMPTS }),
    },
  })
}

function loginAs(settings: HttpSettings) {
  return operation(settings, {
    path: '/api/auth/login-as',
    id: 'loginAs',
    summary: 'Act as another account',
    description:
      'New credentials; those of before are dead. All grants are those of the other account. Ends by itself after an hour at most.',
    tag: 'identity',
    grant: 'auth:login-as',
    security: [provenBy(settings)],
    body: jsonRequest(loginAsBodySchema, LOGIN_AS),
    replies: {
      200: {
        description: '`user` is the other account, `userAs` oneself',
        schema: identityEnvelopeSchema,
        example: ACTING,
        headers: issuedCookie(settings),
      },
    },
    refusals: {
      400: refused.USER_ID_FORMAT,
      401: refused.INVALID_TOKEN,
      403: refused.ADMINISTRATOR,
      404: refused.NO_ACCOUNT,
    },
  })
}

function logoutAs(settings: HttpSettings) {
  return operation(settings, {
    path: '/api/auth/logout-as',
    id: 'logoutAs',
    summary: 'Stop acting as another account',
    description: 'New credentials of oneself; those of the impersonation are dead.',
    tag: 'identity',
    grant: 'auth:logout-as',
    security: [provenBy(settings)],
    body: jsonRequest(logoutBodySchema, {}, false),
    replies: {
      200: {
        description: 'Oneself again',
        schema: identityEnvelopeSchema,
        example: LOGGED_IN,
        headers: issuedCookie(settings),
      },
    },
    refusals: { 400: refused.NOT_JSON, 401: refused.INVALID_TOKEN, 403: refused.NOT_ACTING },
  })
}
