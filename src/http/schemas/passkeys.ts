import * as z from 'zod'
import { credentialSchema as credential, envelope, rememberSchema as remember } from './identity.js'
import { optionalText } from './validate.js'

const id = optionalText({ description: 'The ID of one of your own passkeys.' })
const name = optionalText({
  description: 'The name by which you recognize the passkey.',
  examples: ['My phone'],
})

/** Bodies of the passkey routes; the use cases check the members. */
export const passkeyLoginBodySchema = z
  .object({ credential, remember })
  .meta({ id: 'PasskeyLoginRequest', required: ['credential'] })
export const addPasskeyBodySchema = z
  .object({ credential, name })
  .meta({ id: 'AddPasskeyRequest', required: ['credential'] })
export const renamePasskeyBodySchema = z
  .object({ id, name })
  .meta({ id: 'RenamePasskeyRequest', required: ['id', 'name'] })
export const removePasskeyBodySchema = z.object({ id }).meta({ id: 'RemovePasskeyRequest', required: ['id'] })

const passkeySchema = z
  .strictObject({
    id: z.string().describe('The credential ID, in base64url.'),
    name: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
    synced: z.boolean().describe('Whether the passkey can be copied to other devices.'),
    backedUp: z.boolean().describe('Whether the passkey was backed up at its last use.'),
    transports: z.array(z.string()),
  })
  .meta({ id: 'Passkey' })

export const passkeyEnvelopeSchema = envelope('PasskeyEnvelope', { passkey: passkeySchema })

export const passkeysEnvelopeSchema = envelope('PasskeysEnvelope', {
  passkeys: z.array(passkeySchema),
  rpId: z.string().describe('The domain that the passkeys are valid for.'),
  userId: z.string().describe('Identifies your account to authenticators.'),
})

export const passkeyOptionsEnvelopeSchema = envelope('PasskeyOptionsEnvelope', {
  options: z.looseObject({
    challenge: z.string(),
    timeout: z.number().optional().describe('How long the challenge is valid, in milliseconds.'),
  }),
})

export const removedEnvelopeSchema = envelope('RemovedEnvelope', {})
