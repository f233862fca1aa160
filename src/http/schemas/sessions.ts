import * as z from 'zod'
import { envelope } from './identity.js'

/** Body of POST /api/auth/sessions/end; the use case requires exactly one member. */
export const endSessionsBodySchema = z
  .object({
    id: z.string().optional().describe('A session id from the list.'),
    others: z.boolean().optional().describe('`true` ends all sessions except the current session.'),
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
    id: z.string().describe('Identifies the session; it is not a credential.'),
    createdAt: z.iso.datetime(),
    refreshedAt: z.iso.datetime().describe('Time of the last refresh, or of the login.'),
    network: z
      .string()
      .nullable()
      .describe('The address of the last refresh, the /64 for IPv6; null if unknown.'),
    client: z
      .string()
      .max(64)
      .nullable()
      .describe('The client as it described itself at login; null if unknown.'),
    current: z.boolean().describe('Whether this session sent the request.'),
    impersonated: z.boolean().describe('Whether an administrator is acting as the account in this session.'),
  })
  .meta({ id: 'OwnSession' })

export const ownSessionsEnvelopeSchema = envelope('OwnSessionsEnvelope', {
  sessions: z.array(ownSessionSchema),
})

export const endedSessionsEnvelopeSchema = envelope('EndedSessionsEnvelope', { ended: z.int().min(0) })
