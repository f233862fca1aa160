import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { identityEnvelopeSchema, resetBodySchema } from '../schemas/identity.js'
import type { HttpSettings } from '../settings.js'
import { LOGGED_OUT, RESET } from './examples.js'
import { jsonRequest, operation } from './operation.js'
import * as refused from './refusals.js'
import { OPEN } from './security.js'

/** To ask for a reset mail, and to use its token. */
export function passwordResetPaths(settings: HttpSettings): ZodOpenApiPathsObject {
  return { '/api/auth/reset-password': { post: resetPassword(settings) } }
}

function resetPassword(settings: HttpSettings) {
  return operation(settings, {
    path: '/api/auth/reset-password',
    id: 'resetPassword',
    summary: 'Ask for a reset mail, or set another password with its token',
    description:
      'With `email` alone it asks, and the reply is the same whether or not there is such an account. With `email`, `resetToken` and `password` it sets the password, which ends all sessions of the account and logs nobody in.',
    tag: 'identity',
    action: 'auth:reset-password',
    security: OPEN,
    body: jsonRequest(resetBodySchema, RESET),
    replies: {
      200: { description: 'Asked, or set', schema: identityEnvelopeSchema, example: LOGGED_OUT },
    },
    refusals: {
      400: refused.EMAIL_REQUIRED,
      401: refused.INVALID_TOKEN,
      403: refused.OTHER_ORIGIN,
      ...(settings.limitsAttempts && { 429: refused.TOO_MANY_ATTEMPTS }),
    },
  })
}
