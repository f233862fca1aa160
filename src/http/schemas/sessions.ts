import * as z from 'zod'
import { messageSchema } from './identity.js'

/** Exactly one member; which is judged by the use case. */
export const endSessionsBodySchema = z
  .object({
    id: z.string().optional().meta({ description: 'Of one session, as the list has it.' }),
    others: z.boolean().optional().meta({ description: 'With true, all but this one.' }),
  })
  .meta({
    id: 'EndSessionsRequest',
    oneOf: [
      { required: ['id'], properties: { id: { type: 'string' } } },
      { required: ['others'], properties: { others: { const: true } } },
    ],
  })

const ownSessionSchema = z
  .strictObject({
    id: z.string().meta({ description: 'Names the session; proves nothing.' }),
    createdAt: z.iso.datetime(),
    refreshedAt: z.iso.datetime().meta({ description: 'Of the login, or of the last refresh.' }),
    network: z
      .string()
      .nullable()
      .meta({ description: 'The address it was refreshed from last, of IPv6 the /64; null where unknown.' }),
    client: z
      .string()
      .max(64)
      .nullable()
      .meta({ description: 'What logged in, as far as it said; null where unknown.' }),
    current: z.boolean().meta({ description: 'Whether it is the one that asks.' }),
    impersonated: z.boolean().meta({ description: 'Whether an administrator acts in it.' }),
  })
  .meta({ id: 'OwnSession' })

export const ownSessionsEnvelopeSchema = z
  .strictObject({
    code: z.int(),
    response: z.boolean(),
    view: z.strictObject({ sessions: z.array(ownSessionSchema), messages: z.array(messageSchema) }),
  })
  .meta({ id: 'OwnSessionsEnvelope' })

export const endedSessionsEnvelopeSchema = z
  .strictObject({
    code: z.int(),
    response: z.boolean(),
    view: z.strictObject({ ended: z.int().min(0), messages: z.array(messageSchema) }),
  })
  .meta({ id: 'EndedSessionsEnvelope' })
