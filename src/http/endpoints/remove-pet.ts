import * as z from 'zod'
import { petId } from '../../domain/catalogue/pet.js'
import { condition, credentialParameters, petEndpoint, petIdParameter } from '../description/pets.js'
import * as refused from '../description/refusals.js'
import type { Endpoint } from '../endpoint.js'
import { expectedRevisions } from '../request/entity-tag.js'
import { negotiate } from '../request/negotiate.js'
import { permitted, petClient } from '../stages.js'

export const removePet: Endpoint = {
  method: 'DELETE',
  path: '/v1/pets/:petId',
  action: 'pets:delete',
  needs: ['authenticatePetClient', 'removePet'],
  describe: (settings) => {
    const shared = petEndpoint(settings)
    return {
      ...shared,
      id: 'removePet',
      summary: 'Remove a pet',
      description: 'For good: its id is never given to another pet.',
      parameters: {
        path: petIdParameter,
        header: z.object({
          ...credentialParameters(settings),
          'If-Match': condition('Removes nothing where it does not hold.'),
        }),
      },
      replies: { 204: { description: 'Removed' } },
      refusals: { ...shared.refusals, 404: refused.NO_PET, 412: refused.STALE },
    }
  },
  stages: (parts) => [petClient(parts), negotiate],
  work: (parts) =>
    permitted(parts, 'delete', async ({ request }, authorized) => {
      const id = petId(request.parameters['petId'] ?? '')
      const expected = id === undefined ? undefined : expectedRevisions(request.header('if-match'), id)
      await parts.useCases.removePet({ authorized, id, ...(expected && { expected }) })
      return { status: 204 }
    }),
}
