import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { errorSchema } from '../schemas/common.js'
import {
  identityEnvelopeSchema,
  loginAsBodySchema,
  logoutBodySchema,
  resetBodySchema,
} from '../schemas/identity.js'
import type { HttpSettings } from '../settings.js'
import { provenBy } from './proofs.js'
import { failures, reply } from './replies.js'

const common = [400, 401, 403, 405, 406, 413, 415, 500, 503]
const pathless = failures(errorSchema, [408, 431])
const json = (schema: z.ZodType) => ({ 'application/json': { schema } })

/** Password reset and impersonation. */
export function furtherActionPaths({ stateless }: HttpSettings): ZodOpenApiPathsObject {
  const cookie = stateless ? {} : { 'Set-Cookie': z.string().meta({ description: 'The session cookie.' }) }
  return {
    '/api/auth/reset-password': {
      post: {
        operationId: 'resetPassword',
        summary: 'Ask for a reset mail, or set another password with its token',
        description:
          'With `email` alone it asks, and the reply is the same whether or not there is such an account. With `email`, `resetToken` and `password` it sets the password, which ends all sessions of the account and logs nobody in.',
        tags: ['identity'],
        security: [{}],
        requestBody: { required: true, content: json(resetBodySchema) },
        responses: {
          '200': reply('Asked, or set', identityEnvelopeSchema),
          ...failures(identityEnvelopeSchema, [...common, 429]),
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
        requestBody: { required: true, content: json(loginAsBodySchema) },
        responses: {
          '200': reply('`user` is the other account, `userAs` oneself', identityEnvelopeSchema, cookie),
          ...failures(identityEnvelopeSchema, [...common, 404]),
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
        requestBody: { required: false, content: json(logoutBodySchema) },
        responses: {
          '200': reply('Oneself again', identityEnvelopeSchema, cookie),
          ...failures(identityEnvelopeSchema, common),
          ...pathless,
        },
      },
    },
  }
}
