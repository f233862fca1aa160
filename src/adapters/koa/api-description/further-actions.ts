import type { ZodOpenApiPathsObject } from 'zod-openapi'
import {
  identityEnvelopeSchema,
  loginAsBodySchema,
  logoutBodySchema,
  resetBodySchema,
} from '../schemas/identity.js'
import type { HttpSettings } from '../settings.js'
import { COMMON_FAILURES, cookieOf, jsonRequest, pathless } from './identity.js'
import { provenBy } from './proofs.js'
import { failures, reply } from './replies.js'

/** Password reset and impersonation. */
export function furtherActionPaths({ stateless }: HttpSettings): ZodOpenApiPathsObject {
  const cookie = cookieOf(stateless)
  return {
    '/api/auth/reset-password': {
      post: {
        operationId: 'resetPassword',
        summary: 'Ask for a reset mail, or set another password with its token',
        description:
          'With `email` alone it asks, and the reply is the same whether or not there is such an account. With `email`, `resetToken` and `password` it sets the password, which ends all sessions of the account and logs nobody in.',
        tags: ['identity'],
        security: [{}],
        requestBody: jsonRequest(resetBodySchema),
        responses: {
          '200': reply('Asked, or set', identityEnvelopeSchema),
          ...failures(identityEnvelopeSchema, [...COMMON_FAILURES, 429]),
          ...pathless,
        },
      },
    },
    '/api/auth/login-as': {
      post: {
        operationId: 'loginAs',
        summary: 'Act as another account',
        description:
          'New credentials; those of before are dead. All grants are those of the other account. Ends by itself after an hour at most.',
        tags: ['identity'],
        security: [provenBy(stateless)],
        requestBody: jsonRequest(loginAsBodySchema),
        responses: {
          '200': reply('`user` is the other account, `userAs` oneself', identityEnvelopeSchema, cookie),
          ...failures(identityEnvelopeSchema, [...COMMON_FAILURES, 404]),
          ...pathless,
        },
      },
    },
    '/api/auth/logout-as': {
      post: {
        operationId: 'logoutAs',
        summary: 'Stop acting as another account',
        description: 'New credentials of oneself; those of the impersonation are dead.',
        tags: ['identity'],
        security: [provenBy(stateless)],
        requestBody: jsonRequest(logoutBodySchema, false),
        responses: {
          '200': reply('Oneself again', identityEnvelopeSchema, cookie),
          ...failures(identityEnvelopeSchema, COMMON_FAILURES),
          ...pathless,
        },
      },
    },
  }
}
