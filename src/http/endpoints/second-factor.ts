import { noFactor, type FactorStatus } from '../../application/identity/second-factor/own-second-factor.js'
import {
  CODE,
  FACTOR,
  FACTOR_CONFIRMED,
  FACTOR_SET_UP,
  NO_FACTOR,
  OWN_PASSWORD,
  RECOVERY_RENEWED,
} from '../description/examples.js'
import { issuedCookie } from '../description/headers.js'
import * as refused from '../description/refusals.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import type { HttpReply } from '../message.js'
import { issuedView, succeeded, success } from '../reply/envelope.js'
import { calling, issuedReply, passwordAndCode, members } from '../stages.js'
import * as z from 'zod'
import {
  codeSchema,
  currentPassword as password,
  envelope,
  envelopeOf,
  identityViewSchema,
} from '../schemas/identity.js'

/** Bodies of the second-factor routes; the use cases check the members. */
const setUpFactorBodySchema = z
  .object({ password })
  .meta({ id: 'SetUpSecondFactorRequest', required: ['password'] })
const confirmFactorBodySchema = z
  .object({ code: codeSchema })
  .meta({ id: 'ConfirmSecondFactorRequest', required: ['code'] })
const removeFactorBodySchema = z
  .object({ password, code: codeSchema })
  .meta({ id: 'RemoveSecondFactorRequest', required: ['password', 'code'] })
const renewRecoveryBodySchema = z
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

const factorEnvelopeSchema = envelope('SecondFactorEnvelope', { secondFactor: factorSchema })

const factorSetUpEnvelopeSchema = envelope('SecondFactorSetUpEnvelope', {
  secret: z.string().describe('The secret in Base32, for typing into an authenticator app.'),
  uri: z.string().describe('An otpauth URI for an authenticator app.'),
  qrCode: z.string().describe('The URI as a QR code (the text of an SVG image).'),
})

const recoveryCodes = z
  .array(z.string())
  .describe(
    'Each code can be used once instead of a code from the app. The codes are not shown in any later reply.',
  )

const recoveryRenewedEnvelopeSchema = envelope('RecoveryCodesEnvelope', { recoveryCodes })

const factorConfirmedEnvelopeSchema = envelopeOf(
  identityViewSchema.extend({ recoveryCodes }).meta({ id: 'SecondFactorConfirmedView' }),
).meta({ id: 'SecondFactorConfirmedEnvelope' })

const WITH_CODE = {
  400: refused.NOT_VALID_FIELD('code'),
  409: noFactor().messages,
  429: refused.TOO_MANY_ATTEMPTS,
}

/** The routes for the caller's own second factor. */
export const secondFactor: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/auth/second-factor',
    describe: () => ({
      summary: 'Get the state of the second factor',
      replies: {
        200: { description: 'The state of the second factor', schema: factorEnvelopeSchema, example: FACTOR },
      },
    }),
    ...calling('readSecondFactor', undefined, factorReply),
  },
  {
    method: 'POST',
    path: '/api/auth/second-factor/set-up',
    body: bodyOf(setUpFactorBodySchema, OWN_PASSWORD),
    describe: (settings) => ({
      summary: 'Set up a second factor',
      description:
        'For an authenticator app. Takes effect when it is confirmed; the confirmation must arrive within one hour.',
      replies: {
        200: {
          description: 'The data for the app, shown only in this reply',
          schema: factorSetUpEnvelopeSchema,
          example: FACTOR_SET_UP,
        },
      },
      refusals: {
        400: refused.NOT_VALID_FIELD('password'),
        409: refused.messageOf('Conflict', 'A second factor is active: remove it first.'),
        ...refused.tooManyAttempts(settings),
      },
    }),
    ...calling('setUpSecondFactor', members('password'), ({ secret, uri, qrCode }) => ({
      status: 200,
      body: success({ secret, uri, qrCode }),
    })),
  },
  {
    method: 'POST',
    path: '/api/auth/second-factor/confirm',
    body: bodyOf(confirmFactorBodySchema, CODE),
    describe: (settings) => ({
      summary: 'Confirm the second factor that was set up',
      description:
        'From now on a login needs a code. The reply has the credentials of a login with the second factor; the previous credentials are void.',
      replies: {
        200: {
          description: 'Confirmed, with ten recovery codes',
          schema: factorConfirmedEnvelopeSchema,
          example: FACTOR_CONFIRMED,
          headers: issuedCookie(settings),
        },
      },
      refusals: {
        400: refused.NOT_VALID_FIELD('code'),
        409: refused.messageOf('Conflict', 'Set up a second factor first.'),
        429: refused.TOO_MANY_ATTEMPTS,
      },
    }),
    ...calling('confirmSecondFactor', members('code'), ({ issued, recoveryCodes }, context) => ({
      ...issuedReply(issued, context),
      body: succeeded(200, { ...issuedView(issued, false), recoveryCodes }),
    })),
  },
  {
    method: 'POST',
    path: '/api/auth/second-factor/remove',
    body: bodyOf(removeFactorBodySchema, { ...OWN_PASSWORD, ...CODE }),
    describe: () => ({
      summary: 'Remove the second factor',
      description:
        'Needs the password and a code. After the removal, the password alone is enough to log in. Sessions continue.',
      replies: { 200: { description: 'Removed', schema: factorEnvelopeSchema, example: NO_FACTOR } },
      refusals: WITH_CODE,
    }),
    ...calling('removeSecondFactor', passwordAndCode, factorReply),
  },
  {
    method: 'POST',
    path: '/api/auth/second-factor/recovery-codes',
    body: bodyOf(renewRecoveryBodySchema, { ...OWN_PASSWORD, ...CODE }),
    describe: () => ({
      summary: 'Create new recovery codes',
      description:
        'Needs the password and a code. The previous recovery codes become invalid. Sessions continue.',
      replies: {
        200: {
          description: 'Ten new recovery codes',
          schema: recoveryRenewedEnvelopeSchema,
          example: RECOVERY_RENEWED,
        },
      },
      refusals: WITH_CODE,
    }),
    ...calling('renewRecoveryCodes', passwordAndCode, (recoveryCodes) => ({
      status: 200,
      body: success({ recoveryCodes }),
    })),
  },
]

function factorReply({ since, ...status }: FactorStatus): HttpReply {
  const secondFactor = { ...status, since: since === undefined ? null : new Date(since).toISOString() }
  return { status: 200, body: success({ secondFactor }) }
}
