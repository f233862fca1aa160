import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { errorSchema, healthSchema } from '../schemas/common.js'
import { projectBodySchema, projectEnvelopeSchema } from '../schemas/project.js'
import { failures, reply } from './replies.js'

/** The protected example resource, health, and this description itself. */
export const servicePaths: ZodOpenApiPathsObject = {
  '/api/project/create': {
    post: {
      operationId: 'createProject',
      summary: 'Create a project',
      tags: ['project'],
      security: [{ SessionCookie: [], BearerAuth: [] }],
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
}
