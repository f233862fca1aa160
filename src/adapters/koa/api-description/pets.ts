import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { errorSchema } from '../schemas/common.js'
import { listQuerySchema, petChangeSchema, petDraftSchema, petSchema, petsSchema } from '../schemas/pet.js'
import { failures, reply } from './replies.js'

const challenge = { 401: { 'WWW-Authenticate': z.string() } }
const security = [{ ApiKeyAuth: [] }, { BasicAuth: [] }, { ApiKeyAuth: [], BasicAuth: [] }]
const path = z.object({ petId: z.string().meta({ description: 'The id of the pet.', example: '1' }) })

/** Both schemes are listed as header parameters too, under the names of the specification. */
const credentials = {
  ApiKeyAuth: z.string().optional().meta({ description: 'An API key, instead of the scheme’s own header.' }),
  BasicAuth: z.string().optional().meta({ description: 'Basic credentials, instead of `Authorization`.' }),
}
const common = [401, 403, 405, 406, 408, 431, 500, 503]
const etag = { ETag: z.string().meta({ description: 'Changes with every change of the pet.' }) }

export const petPaths: ZodOpenApiPathsObject = {
  '/v1/pets': {
    get: {
      operationId: 'listPets',
      summary: 'List pets',
      tags: ['pets'],
      security,
      requestParams: { query: listQuerySchema, header: z.object(credentials) },
      responses: {
        '200': reply('One page, in ascending order of id', petsSchema, {
          'x-next': z
            .string()
            .optional()
            .meta({ description: 'Address of the next page; absent on the last.' }),
          Link: z.string().optional().meta({ description: 'The same as rel="next" (RFC 8288).' }),
        }),
        ...failures(errorSchema, [400, ...common], challenge),
      },
    },
    post: {
      operationId: 'createPet',
      summary: 'Create a pet',
      tags: ['pets'],
      security,
      requestParams: {
        header: z.object({
          ...credentials,
          'Idempotency-Key': z
            .string()
            .optional()
            .meta({ minLength: 1, maxLength: 255, description: 'One pet for one key and body in 24 hours.' }),
        }),
      },
      requestBody: { required: true, content: { 'application/json': { schema: petDraftSchema } } },
      responses: {
        '201': reply('Created', undefined, {
          Location: z.string().meta({ description: 'Address of the pet.' }),
        }),
        ...failures(errorSchema, [400, 413, 415, 422, ...common], challenge),
      },
    },
  },
  '/v1/pets/{petId}': {
    get: {
      operationId: 'readPet',
      summary: 'One pet',
      tags: ['pets'],
      security,
      requestParams: {
        path,
        header: z.object({ ...credentials, 'If-None-Match': z.string().optional() }),
      },
      responses: {
        '200': reply('The pet', petSchema, etag),
        '304': reply('Not changed since', undefined, etag),
        ...failures(errorSchema, [404, ...common], challenge),
      },
    },
    patch: {
      operationId: 'patchPet',
      summary: 'Update a pet',
      description: 'Merges into the traits of the same shape; the other shape replaces them.',
      tags: ['pets'],
      security,
      requestParams: {
        path,
        header: z.object({ ...credentials, 'If-Match': z.string().optional() }),
      },
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: petChangeSchema },
          'application/merge-patch+json': { schema: petChangeSchema },
        },
      },
      responses: {
        '200': reply('The updated pet', petSchema, etag),
        ...failures(errorSchema, [400, 404, 412, 413, 415, ...common], challenge),
      },
    },
  },
}
