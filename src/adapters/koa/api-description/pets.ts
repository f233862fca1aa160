import { z } from 'zod'
import type { oas31, ZodOpenApiPathsObject } from 'zod-openapi'
import type { PetId } from '../../../domain/catalogue/pet.js'
import { encodeCursor } from '../request/cursor.js'
import {
  listQuerySchema,
  petChangeSchema,
  petDraftSchema,
  petMergePatchSchema,
  petSchema,
  petsIdsSchema,
  petsSchema,
} from '../schemas/pet.js'
import type { HttpAction, HttpSettings } from '../settings.js'
import { constantHeader, type Header, type Headers } from './headers.js'
import { operation } from './operation.js'
import * as refused from './refusals.js'
import { petRequirements } from './security.js'

const LIST = '/v1/pets'
const ONE = '/v1/pets/{petId}'

const DRAFT = { name: 'Rex', tag: 'adopted', category: 'One' }
const REX = { id: 1, ...DRAFT }
const CHANGE = { bark: true, breed: 'Border Collie' }

/** The schemes are listed as header parameters too, under the names of the specification. */
const apiKey = {
  ApiKeyAuth: z
    .string()
    .optional()
    .meta({
      description: 'An API key, instead of the scheme’s own header.',
      examples: ['kennel_EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAM'],
    }),
}
const basic = {
  BasicAuth: z
    .string()
    .optional()
    .meta({
      description: 'Basic credentials (base64 of `email:password`), instead of `Authorization`.',
      examples: [`Basic ${Buffer.from('ada@example.com:a long password').toString('base64')}`],
    }),
}

const petId = z.object({
  petId: z.string().meta({ description: 'The id of the pet.', param: { example: '1' } }),
})
const condition = (description: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: ['"1-1"'] })
const idempotencyKey = z
  .string()
  .optional()
  .meta({
    minLength: 1,
    maxLength: 255,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'One pet for one key and body in 24 hours.',
    examples: ['8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60'],
  })

const ETAG: Headers = {
  ETag: {
    description: 'Changes with every change of the pet.',
    required: true,
    schema: { type: 'string', pattern: '^"[0-9]+-[0-9]+"$' },
    example: '"1-1"',
  },
}
const KEPT: Headers = { 'Cache-Control': constantHeader('private, no-cache') }

/** Written out: to a parameter whose schema is a component zod-openapi adds no style. */
const IDS: oas31.ParameterObject = {
  in: 'query',
  name: 'ids',
  description:
    'These pets in the place of a page, those that are there. Not together with `limit` or `cursor`.',
  style: 'form',
  explode: false,
  schema: { $ref: '#/components/schemas/PetsIds', examples: [[1, 2]] },
}

/** What no schema of an operation leads to. */
export const petComponents = { PetsIds: petsIdsSchema }

export function petPaths(settings: HttpSettings): ZodOpenApiPathsObject {
  return {
    [LIST]: { get: listPets(settings), post: createPet(settings) },
    [ONE]: { get: readPet(settings), patch: patchPet(settings) },
  }
}

const takesBasic = ({ petSecurity }: HttpSettings) => petSecurity !== 'key'

function credentials(settings: HttpSettings) {
  return takesBasic(settings) ? { ...apiKey, ...basic } : apiKey
}

/** What all four have in common. */
function common(settings: HttpSettings, action: HttpAction) {
  return {
    tag: 'pets',
    action,
    security: petRequirements(settings),
    refusals: {
      401: refused.NO_CREDENTIALS,
      // Basic is counted like a login.
      ...(settings.limitsAttempts && takesBasic(settings) && { 429: refused.TOO_MANY_ATTEMPTS }),
    },
  } as const
}

function listPets(settings: HttpSettings) {
  const shared = common(settings, 'pets:list')
  return operation(settings, {
    ...shared,
    path: LIST,
    id: 'listPets',
    summary: 'List pets',
    description: 'One page, or with `ids` those pets alone, each once; in ascending order of id.',
    parameters: { query: listQuerySchema.omit({ ids: true }), header: z.object(credentials(settings)) },
    writtenParameters: [IDS],
    replies: {
      200: {
        description: 'The pets, in ascending order of id',
        schema: petsSchema,
        example: [REX, { id: 2, name: 'Tom', age: 3, hunts: true }],
        headers: { ...KEPT, ...nextPage(settings.publicUrl) },
      },
    },
    refusals: { ...shared.refusals, 400: refused.BAD_LIMIT },
  })
}

/** Optional: the last page has neither. */
function nextPage(publicUrl: string): Headers {
  const next = `${publicUrl}${LIST}?limit=20&cursor=${encodeCursor(20 as PetId)}`
  const header = (description: string, example: string): Header => ({
    description,
    required: false,
    schema: { type: 'string' },
    example,
  })
  return {
    'x-next': header('Address of the next page; absent on the last.', next),
    Link: header('The same as rel="next" (RFC 8288).', `<${next}>; rel="next"`),
  }
}

function createPet(settings: HttpSettings) {
  const shared = common(settings, 'pets:create')
  return operation(settings, {
    ...shared,
    path: LIST,
    id: 'createPet',
    summary: 'Create a pet',
    description: 'The service assigns the id; `Location` tells it.',
    parameters: { header: z.object({ ...credentials(settings), 'Idempotency-Key': idempotencyKey }) },
    body: { required: true, content: { 'application/json': { schema: petDraftSchema, example: DRAFT } } },
    replies: { 201: { description: 'Created', headers: location(settings.publicUrl) } },
    refusals: { ...shared.refusals, 400: refused.NO_NAME, 422: refused.KEY_REUSED },
  })
}

function location(publicUrl: string): Headers {
  const Location: Header = {
    description: 'Address of the pet.',
    required: true,
    schema: { type: 'string' },
    example: `${publicUrl}${LIST}/1`,
  }
  return { Location }
}

function readPet(settings: HttpSettings) {
  const shared = common(settings, 'pets:read')
  return operation(settings, {
    ...shared,
    path: ONE,
    id: 'readPet',
    summary: 'One pet',
    description: 'With the traits that it has.',
    parameters: {
      path: petId,
      header: z.object({
        ...credentials(settings),
        'If-None-Match': condition('Answers 304 where it still holds.'),
      }),
    },
    replies: {
      200: { description: 'The pet', schema: petSchema, example: REX, headers: { ...KEPT, ...ETAG } },
      304: { description: 'Not changed since', headers: { ...KEPT, ...ETAG } },
    },
    refusals: { ...shared.refusals, 404: refused.NO_PET },
  })
}

function patchPet(settings: HttpSettings) {
  const shared = common(settings, 'pets:update')
  return operation(settings, {
    ...shared,
    path: ONE,
    id: 'patchPet',
    summary: 'Update a pet',
    description:
      'Merges into the traits of the same shape; the other shape replaces them. As a merge patch (RFC 7396) `null` takes a trait away; a pet without any has no shape.',
    parameters: {
      path: petId,
      header: z.object({
        ...credentials(settings),
        'If-Match': condition('Changes nothing where it does not hold.'),
      }),
    },
    body: {
      required: true,
      content: {
        'application/json': { schema: petChangeSchema, example: CHANGE },
        'application/merge-patch+json': { schema: petMergePatchSchema, example: { ...CHANGE, breed: null } },
      },
    },
    replies: {
      200: {
        description: 'The updated pet',
        schema: petSchema,
        example: { ...REX, ...CHANGE },
        headers: ETAG,
      },
    },
    refusals: {
      ...shared.refusals,
      400: refused.MIXED,
      404: refused.NO_PET,
      412: refused.STALE,
    },
  })
}
