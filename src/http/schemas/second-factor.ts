import * as z from 'zod'
import {
  codeSchema,
  currentPassword as password,
  envelope,
  envelopeOf,
  identityViewSchema,
} from './identity.js'

// The use cases check these members, and their messages name the member.
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
    since: z.iso.datetime().nullable().meta({ description: 'Time of its confirmation.' }),
    recoveryCodesLeft: z.int().min(0),
    required: z
      .boolean()
      .meta({ description: 'Whether roles of the account apply only in a login with a second factor.' }),
  })
  .meta({ id: 'SecondFactor' })

export const factorEnvelopeSchema = envelope({ secondFactor: factorSchema }).meta({
  id: 'SecondFactorEnvelope',
})

export const factorSetUpEnvelopeSchema = envelope({
  secret: z.string().meta({ description: 'Base32, to type it into an authenticator app.' }),
  uri: z.string().meta({ description: 'An otpauth URI for an authenticator app.' }),
  qrCode: z.string().meta({ description: 'The URI as a QR code, the text of an SVG image.' }),
}).meta({ id: 'SecondFactorSetUpEnvelope' })

const recoveryCodes = z
  .array(z.string())
  .meta({ description: 'Each can be used once instead of a code. No later reply shows them.' })

export const recoveryRenewedEnvelopeSchema = envelope({ recoveryCodes }).meta({ id: 'RecoveryCodesEnvelope' })

export const factorConfirmedEnvelopeSchema = envelopeOf(
  identityViewSchema.extend({ recoveryCodes }).meta({ id: 'SecondFactorConfirmedView' }),
).meta({ id: 'SecondFactorConfirmedEnvelope' })
