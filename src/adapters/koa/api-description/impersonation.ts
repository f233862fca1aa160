import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { identityEnvelopeSchema, loginAsBodySchema, logoutBodySchema } from '../schemas/identity.js'
import type { HttpSettings } from '../settings.js'
import { issuedCookie } from './cookies.js'
import { jsonRequest, operation } from './operation.js'
import * as refused from './refusals.js'
import { provenBy } from './security.js'
import { ACTING, LOGGED_IN, LOGIN_AS } from './examples.js'

/** To act as another account, and to stop that. */
export function impersonationPaths(settings: HttpSettings): ZodOpenApiPathsObject {
  return {
    '/api/auth/login-as': { post: loginAs(settings) },
    '/api/auth/logout-as': { post: logoutAs(settings) },
  }
}

function loginAs(settings: HttpSettings) {
  return operation(settings, {
    path: '/api/auth/login-as',
    id: 'loginAs',
    summary: 'Act as another account',
    description:
      'New credentials; those of before are dead. All grants are those of the other account. Ends by itself after an hour at most.',
    tag: 'identity',
    action: 'auth:login-as',
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
    action: 'auth:logout-as',
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
