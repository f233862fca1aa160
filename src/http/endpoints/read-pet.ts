import * as z from 'zod'
import { petId, type Pet } from '../../domain/catalogue/pet.js'
import { constantHeader } from '../description/headers.js'
import {
  condition,
  credentialParameters,
  ETAG,
  KEPT_AS_IS,
  petIdParameter,
  REX,
} from '../description/pets.js'
import * as refused from '../description/refusals.js'
import type { Endpoint } from '../endpoint.js'
import { remembered } from '../reply/remembered.js'
import { entityTag, unlessFresh } from '../request/conditions.js'
import { petSchema, presentPet } from '../schemas/pet.js'
import { calling } from '../stages.js'

const HEADERS = { 'Cache-Control': constantHeader(KEPT_AS_IS), ...ETAG }

/** Declares `GET /v1/pets/:petId`. */
export const readPet: Endpoint = {
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
    refusals: { 404: refused.NO_PET },
  }),
  ...calling(
    'readPet',
    ({ request }) => ({ id: petId(request.parameters['petId'] ?? '') }),
    (pet, { exchange }) => unlessFresh(exchange.request, replyOf(pet)),
  ),
}

const replyOf = remembered((pet: Pet) => ({
  status: 200,
  headers: { 'Cache-Control': KEPT_AS_IS, ETag: entityTag(pet) },
  body: JSON.stringify(presentPet(pet)),
}))
