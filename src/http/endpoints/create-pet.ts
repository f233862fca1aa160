import * as z from 'zod'
import { parseFields } from '../../application/fields.js'
import { idempotencyKey } from '../../domain/catalogue/idempotency-key.js'
import type { Headers } from '../description/headers.js'
import { credentialParameters, DRAFT, petEndpoint } from '../description/pets.js'
import * as refused from '../description/refusals.js'
import type { Endpoint } from '../endpoint.js'
import { negotiate } from '../request/negotiate.js'
import { parsePetDraft, petDraftSchema } from '../schemas/pet.js'
import { permitted, petClient } from '../stages.js'

const PATH = '/v1/pets'

const idempotencyKeyParameter = z
  .string()
  .optional()
  .meta({
    minLength: 1,
    maxLength: 255,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'One pet for one key and body in 24 hours.',
    examples: ['8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60'],
  })

export const createPet: Endpoint = {
  method: 'POST',
  path: PATH,
  action: 'pets:create',
  needs: ['authenticatePetClient', 'createPet'],
  body: {
    required: true,
    limit: 'configured',
    content: { 'application/json': { schema: petDraftSchema, example: DRAFT } },
  },
  describe: (settings) => {
    const shared = petEndpoint(settings)
    return {
      ...shared,
      id: 'createPet',
      summary: 'Create a pet',
      description: 'The service assigns the id; `Location` tells it.',
      parameters: {
        header: z.object({ ...credentialParameters(settings), 'Idempotency-Key': idempotencyKeyParameter }),
      },
      replies: { 201: { description: 'Created', headers: location(settings.publicUrl) } },
      refusals: { ...shared.refusals, 400: refused.NO_NAME, 422: refused.KEY_REUSED },
    }
  },
  stages: (parts, json) => [petClient(parts), negotiate, json],
  work: (parts) => {
    const { useCases, base } = parts
    return permitted(parts, 'create', async ({ request, json }, authorized) => {
      const draft = parsePetDraft(json)
      const given = request.header('idempotency-key')
      const key = given === undefined ? undefined : parseFields({ 'Idempotency-Key': idempotencyKey(given) })
      const id = await useCases.createPet({
        authorized,
        draft,
        ...(key && { idempotencyKey: key['Idempotency-Key'] }),
      })
      return { status: 201, headers: { Location: `${base}${PATH}/${String(id)}` }, body: '' }
    })
  },
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
