import * as z from 'zod'
import { codeSchema, identityViewSchema, messageSchema } from './identity.js'

const password = z
  .string()
  .optional()
  .meta({ minLength: 1, format: 'password', description: 'The current one.' })

// Judged by the use cases, which say of each member what is wrong with it.
export const setUpFactorBodySchema = z
  .object({ password })
  .meta({ id: 'SetUpSecondFactorRequest', required: ['password'] })
export const confirmFactorBodySchema = z
  .object({ code: codeSchema })
  .meta({ id: 'ConfirmSecondFactorRequest', required: ['code'] })
export const removeFactorBodySchema = z
  .object({ password, code: codeSchema })
  .meta({ id: 'RemoveSecondFactorRequest', required: ['password', 'code'] })
export const renewRecoveryBodySchema = z
  .object({ password, code: codeSchema })
  .meta({ id: 'RenewRecoveryCodesRequest', required: ['password', 'code'] })

const factorSchema = z
  .strictObject({
    active: z.boolean(),
    since: z.iso.datetime().nullable().meta({ description: 'When it was confirmed.' }),
    recoveryCodesLeft: z.int().min(0),
    required: z
      .boolean()
      .meta({ description: 'Whether roles of the account count only in a login with a second factor.' }),
  })
  .meta({ id: 'SecondFactor' })

const messages = z.array(messageSchema)

export const factorEnvelopeSchema = z
  .strictObject({
    code: z.int(),
    response: z.boolean(),
    view: z.strictObject({ secondFactor: factorSchema, messages }),
  })
  .meta({ id: 'SecondFactorEnvelope' })

export const factorSetUpEnvelopeSchema = z
  .strictObject({
    code: z.int(),
    response: z.boolean(),
    view: z.strictObject({
      secret: z.string().meta({ description: 'Base32, for typing it into an authenticator app.' }),
      uri: z.string().meta({ description: 'What an authenticator app reads.' }),
      qrCode: z.string().meta({ description: 'The same as the text of an SVG image.' }),
      messages,
    }),
  })
  .meta({ id: 'SecondFactorSetUpEnvelope' })

const recoveryCodes = z
  .array(z.string())
  .meta({ description: 'Each logs in once in the place of a code. They are shown this once.' })

export const recoveryRenewedEnvelopeSchema = z
  .strictObject({
    code: z.int(),
    response: z.boolean(),
    view: z.strictObject({ recoveryCodes, messages }),
  })
  .meta({ id: 'RecoveryCodesEnvelope' })

export const factorConfirmedEnvelopeSchema = z
  .strictObject({
    code: z.int(),
    response: z.boolean(),
    view: identityViewSchema.extend({ recoveryCodes }).meta({ id: 'SecondFactorConfirmedView' }),
  })
  .meta({ id: 'SecondFactorConfirmedEnvelope' })
