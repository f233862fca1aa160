import * as z from 'zod'
import { petId } from '../../domain/catalogue/pet.js'
import { constantHeader } from '../description/headers.js'
import {
  CHANGE,
  condition,
  credentialParameters,
  ETAG,
  petIdParameter,
  REX,
  SENT_AS_IS,
} from '../description/pets.js'
import * as refused from '../description/refusals.js'
import type { Endpoint } from '../endpoint.js'
import { entityTag, expectedRevisions } from '../request/conditions.js'
import { contentType } from '../request/json-body.js'
import {
  parsePetChange,
  petChangeSchema,
  petMergePatchSchema,
  petSchema,
  presentPet,
} from '../schemas/pet.js'
import { calling } from '../stages.js'

const MERGE_PATCH = 'application/merge-patch+json'

/** Declares `PATCH /v1/pets/:petId`. */
export const patchPet: Endpoint = {
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
      'Merges into traits of the same shape; the other shape replaces them. In a merge patch (RFC 7396) `null` removes a trait; a pet without traits has no shape.',
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
    refusals: { 400: refused.MIXED, 404: refused.NO_PET, 412: refused.STALE },
  }),
  ...calling(
    'patchPet',
    ({ request, json = {} }) => {
      const id = petId(request.parameters['petId'] ?? '')
      const mergePatch = contentType(request.header('content-type')).type === MERGE_PATCH
      const change = parsePetChange(json, { mergePatch })
      const expected = id === undefined ? undefined : expectedRevisions(request.header('if-match'), id)
      return { id, change, expected }
    },
    (pet) => ({
      status: 200,
      headers: { 'Cache-Control': SENT_AS_IS, ETag: entityTag(pet) },
      body: presentPet(pet),
    }),
  ),
}
