import * as z from 'zod'
import {
  codeSchema,
  currentPassword as password,
  envelope,
  envelopeOf,
  identityViewSchema,
} from './identity.js'

/** Bodies of the second-factor routes; the use cases check the members. */
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
    since: z.iso.datetime().nullable().describe('Time at which the second factor was confirmed.'),
    recoveryCodesLeft: z.int().min(0),
    required: z
      .boolean()
      .describe('Whether some roles of the account apply only in a login with a second factor.'),
  })
  .meta({ id: 'SecondFactor' })

export const factorEnvelopeSchema = envelope('SecondFactorEnvelope', { secondFactor: factorSchema })

export const factorSetUpEnvelopeSchema = envelope('SecondFactorSetUpEnvelope', {
  secret: z.string().describe('The secret in Base32, for typing into an authenticator app.'),
  uri: z.string().describe('An otpauth URI for an authenticator app.'),
  qrCode: z.string().describe('The URI as a QR code (the text of an SVG image).'),
})

const recoveryCodes = z
  .array(z.string())
  .describe(
    'Each code can be used once instead of a code from the app. The codes are not shown in any later reply.',
  )

export const recoveryRenewedEnvelopeSchema = envelope('RecoveryCodesEnvelope', { recoveryCodes })

export const factorConfirmedEnvelopeSchema = envelopeOf(
  identityViewSchema.extend({ recoveryCodes }).meta({ id: 'SecondFactorConfirmedView' }),
).meta({ id: 'SecondFactorConfirmedEnvelope' })
