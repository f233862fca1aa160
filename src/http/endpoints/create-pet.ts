import * as z from 'zod'
import { parseFields } from '../../application/fields.js'
import { idempotencyKey } from '../../domain/catalogue/pet.js'
import type { Headers } from '../description/headers.js'
import { credentialParameters, DRAFT } from '../description/pets.js'
import * as refused from '../description/refusals.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { parsePetDraft, petDraftSchema } from '../schemas/pet.js'
import { calling } from '../stages.js'
import { optionalText } from '../schemas/validate.js'

const PATH = '/v1/pets'

const idempotencyKeyParameter = optionalText({
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'Requests with the same key and body within 24 hours create only one pet.',
  examples: ['8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60'],
})

/** Declares `POST /v1/pets`. */
export const createPet: Endpoint = {
  method: 'POST',
  path: PATH,
  body: bodyOf(petDraftSchema, DRAFT, { limit: 'configured' }),
  describe: (settings) => ({
    summary: 'Create a pet',
    description: 'The service assigns the id, which is in `Location`.',
    parameters: {
      header: z.object({ ...credentialParameters(settings), 'Idempotency-Key': idempotencyKeyParameter }),
    },
    replies: { 201: { description: 'Created', headers: location(settings.publicUrl) } },
    refusals: { 400: refused.NO_NAME, 422: refused.KEY_REUSED },
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
