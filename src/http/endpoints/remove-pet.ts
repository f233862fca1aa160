import * as z from 'zod'
import { petId } from '../../domain/catalogue/pet.js'
import { condition, credentialParameters, petIdParameter } from '../description/pets.js'
import * as refused from '../description/refusals.js'
import type { Endpoint } from '../endpoint.js'
import { expectedRevisions } from '../request/conditions.js'
import { calling } from '../stages.js'

/** Declares `DELETE /v1/pets/:petId`. */
export const removePet: Endpoint = {
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
    refusals: { 404: refused.NO_PET, 412: refused.STALE },
  }),
  ...calling(
    'removePet',
    ({ request }) => {
      const id = petId(request.parameters['petId'] ?? '')
      return {
        id,
        expected: id === undefined ? undefined : expectedRevisions(request.header('if-match'), id),
      }
    },
    () => ({ status: 204 }),
  ),
}
