import * as z from 'zod'
import { parseFields } from '../../application/fields.js'
import { idempotencyKey, type Pet, petId } from '../../domain/catalogue/pet.js'
import { constantHeader, type Headers } from '../description/headers.js'
import {
  CHANGE,
  condition,
  credentialParameters,
  DRAFT,
  ETAG,
  KEPT_AS_IS,
  mixedTraits,
  petIdParameter,
  REX,
  SENT_AS_IS,
  parsePetChange,
  parsePetDraft,
  petChangeSchema,
  petDraftSchema,
  petMergePatchSchema,
  petSchema,
  presentPet,
} from '../schemas/pet.js'
import * as refused from '../description/refusals.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { type HttpRequest, remembered } from '../message.js'
import { entityTag, expectedRevisions, unlessFresh } from '../request/conditions.js'
import { contentType } from '../request/json-body.js'
import { optionalText } from '../schemas/validate.js'
import { calling } from '../stages.js'

const PATH = '/v1/pets'

const idempotencyKeyParameter = optionalText({
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'Requests with the same key and body within 24 hours create only one pet.',
  examples: ['8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60'],
})

const HEADERS = { 'Cache-Control': constantHeader(KEPT_AS_IS), ...ETAG }

const NO_PET = refused.messageOf('NotFound', 'There is no pet with this id.')
const STALE = refused.messageOf('Conflict', 'The pet has changed since it was read.')
const KEY_REUSED = refused.messageOf(
  'Conflict',
  'This idempotency key was used with a different body.',
  'Idempotency-Key',
)

const MERGE_PATCH = 'application/merge-patch+json'

/** The routes that create, read, change and remove one pet. */
export const pets: readonly Endpoint[] = [
  {
    method: 'POST',
    path: PATH,
    body: bodyOf(petDraftSchema, DRAFT, { limit: 'configured' }),
    describe: (settings) => ({
      summary: 'Create a pet',
      description: 'The service assigns the id and returns it in `Location`.',
      parameters: {
        header: z.object({ ...credentialParameters(settings), 'Idempotency-Key': idempotencyKeyParameter }),
      },
      replies: { 201: { description: 'Created', headers: location(settings.publicUrl) } },
      refusals: { 400: refused.MISSING('name'), 422: KEY_REUSED },
    }),
    ...calling(
      'createPet',
      ({ request, json }) => {
        const draft = parsePetDraft(json)
        const key = request.header('idempotency-key')
        if (key === undefined) return { draft }
        const { 'Idempotency-Key': acceptedKey } = parseFields({ 'Idempotency-Key': idempotencyKey(key) })
        return { draft, idempotencyKey: acceptedKey }
      },
      (id, { base }) => ({
        status: 201,
        headers: { Location: `${base}${PATH}/${String(id)}` },
        body: '',
      }),
    ),
  },
  {
    method: 'GET',
    path: '/v1/pets/:petId',
    describe: (settings) => ({
      summary: 'Get a pet',
      description: 'Includes its traits.',
      parameters: {
        path: petIdParameter,
        header: z.object({
          ...credentialParameters(settings),
          'If-None-Match': condition('304 if one of the tags is current.'),
        }),
      },
      replies: {
        200: { description: 'The pet', schema: petSchema, example: REX, headers: HEADERS },
        304: { description: 'Unchanged', headers: HEADERS },
      },
      refusals: { 404: NO_PET },
    }),
    ...calling(
      'readPet',
      ({ request }) => ({ id: petId(request.parameters['petId'] ?? '') }),
      (pet, { exchange }) => unlessFresh(exchange.request, replyOf(pet)),
    ),
  },
  {
    method: 'PATCH',
    path: '/v1/pets/:petId',
    body: {
      required: true,
      limit: 'configured',
      content: {
        'application/json': { schema: petChangeSchema, example: CHANGE },
        [MERGE_PATCH]: { schema: petMergePatchSchema, example: { ...CHANGE, breed: null } },
      },
    },
    describe: (settings) => ({
      summary: 'Update a pet',
      description:
        'Traits of a cat are merged into existing traits of a cat, and replace the traits of a dog; the same applies to a dog. In a merge patch (RFC 7396), `null` removes a trait; a pet without traits is neither a cat nor a dog.',
      parameters: {
        path: petIdParameter,
        header: z.object({
          ...credentialParameters(settings),
          'If-Match': condition('Fails with 412 and changes nothing if none of the tags is current.'),
        }),
      },
      replies: {
        200: {
          description: 'The updated pet',
          schema: petSchema,
          example: { ...REX, ...CHANGE },
          headers: { 'Cache-Control': constantHeader(SENT_AS_IS), ...ETAG },
        },
      },
      refusals: { 400: mixedTraits().messages, 404: NO_PET, 412: STALE },
    }),
    ...calling(
      'patchPet',
      ({ request, json = {} }) => {
        const mergePatch = contentType(request.header('content-type')).type === MERGE_PATCH
        return { change: parsePetChange(json, { mergePatch }), ...targetOf(request) }
      },
      (pet) => ({
        status: 200,
        headers: { 'Cache-Control': SENT_AS_IS, ETag: entityTag(pet) },
        body: presentPet(pet),
      }),
    ),
  },
  {
    method: 'DELETE',
    path: '/v1/pets/:petId',
    describe: (settings) => ({
      summary: 'Remove a pet',
      description: 'The removal is permanent, and the id is never reused.',
      parameters: {
        path: petIdParameter,
        header: z.object({
          ...credentialParameters(settings),
          'If-Match': condition('Fails with 412 and removes nothing if none of the tags is current.'),
        }),
      },
      replies: { 204: { description: 'Removed' } },
      refusals: { 404: NO_PET, 412: STALE },
    }),
    ...calling(
      'removePet',
      ({ request }) => targetOf(request),
      () => ({ status: 204 }),
    ),
  },
]

/** Returns the pet that the request names, and the revisions that the request's `If-Match` header accepts. */
function targetOf(request: HttpRequest) {
  const id = petId(request.parameters['petId'] ?? '')
  return { id, expected: id === undefined ? undefined : expectedRevisions(request.header('if-match'), id) }
}

function location(publicUrl: string): Headers {
  return {
    Location: {
      description: 'Address of the pet.',
      required: true,
      schema: { type: 'string' },
      example: `${publicUrl}${PATH}/1`,
    },
  }
}

const replyOf = remembered((pet: Pet) => ({
  status: 200,
  headers: { 'Cache-Control': KEPT_AS_IS, ETag: entityTag(pet) },
  body: JSON.stringify(presentPet(pet)),
}))
