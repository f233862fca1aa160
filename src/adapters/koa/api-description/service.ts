import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { errorSchema, healthSchema } from '../schemas/common.js'
import { projectBodySchema, projectEnvelopeSchema } from '../schemas/project.js'
import type { HttpSettings } from '../settings.js'
import { provenBy } from './proofs.js'
import { failures, reply } from './replies.js'

/** The protected example resource, health, and this description itself. */
export function servicePaths({ stateless, publicKeys }: HttpSettings): ZodOpenApiPathsObject {
  return {
    '/api/project/create': {
      post: {
        operationId: 'createProject',
        summary: 'Create a project',
        tags: ['project'],
        security: [provenBy(stateless)],
        requestBody: { required: true, content: { 'application/json': { schema: projectBodySchema } } },
        responses: {
          '201': reply('Created', projectEnvelopeSchema),
          ...failures(projectEnvelopeSchema, [400, 401, 403, 405, 406, 413, 415, 422, 500, 503]),
          ...failures(errorSchema, [408, 431]),
        },
      },
    },
    '/health/live': {
      get: {
        operationId: 'live',
        summary: 'The process answers',
        tags: ['health'],
        security: [{}],
        responses: { '200': reply('Alive', healthSchema), ...failures(errorSchema, [405]) },
      },
    },
    '/health/ready': {
      get: {
        operationId: 'ready',
        summary: 'The service can do its work',
        tags: ['health'],
        security: [{}],
        responses: {
          '200': reply('Ready', healthSchema),
          '503': reply('The store is away, or the service is stopping', healthSchema, {
            'Retry-After': z.string(),
          }),
          ...failures(errorSchema, [405]),
        },
      },
    },
    '/openapi.json': {
      get: {
        operationId: 'describe',
        summary: 'This description',
        tags: ['health'],
        security: [{}],
        responses: {
          '200': reply('An OpenAPI 3.1 document', z.looseObject({})),
          ...failures(errorSchema, [405]),
        },
      },
    },
    ...(publicKeys.length > 0 && publicKeyPaths),
  }
}

const keySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('EdDSA').optional(),
})

const publicKeyPaths: ZodOpenApiPathsObject = {
  '/.well-known/jwks.json': {
    get: {
      operationId: 'publicKeys',
      summary: 'The keys that verify tokens',
      description: 'A JSON Web Key Set (RFC 7517); the key that signs now comes first.',
      tags: ['identity'],
      security: [{}],
      responses: {
        '200': reply('The keys', z.object({ keys: z.array(keySchema) })),
        ...failures(errorSchema, [405]),
      },
    },
  },
}
