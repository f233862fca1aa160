import * as z from 'zod'
import { PASSWORD_MAX } from '../../domain/identity/password.js'
import { MUST_BE, REQUIRED } from '../../domain/messages.js'
import { MESSAGE_TYPES } from '../../domain/refusal.js'
import { optionalText } from './validate.js'

export const codeSchema = optionalText({
  description:
    'Code of the second factor, if the account has a second factor: six digits (eight for some imported factors), or a recovery code.',
  examples: ['492039'],
})

export const credentialSchema = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'The response of the authenticator in the JSON form of WebAuthn: `toJSON()` of the `PublicKeyCredential`.',
  )
export const rememberSchema = z
  .boolean()
  .optional()
  .describe('Whether the session cookie is kept after the browser is closed.')

/** Bodies of the identity routes. Unknown members are ignored. */
export const loginBodySchema = z
  .object({
    email: optionalText({ examples: ['ada@example.com'] }),
    password: optionalText({ format: 'password' }),
    code: codeSchema,
    passkey: credentialSchema,
    remember: rememberSchema,
  })
  .meta({ id: 'LoginRequest' })
export const refreshBodySchema = z
  .object({
    refreshToken: optionalText({
      description: 'The refresh token from the reply to the login or to the previous refresh.',
    }),
  })
  .meta({ id: 'RefreshRequest' })
export const logoutBodySchema = z.object({}).meta({ id: 'LogoutRequest' })
/** The use case checks the length of a new password. The description shows the configured minimum. */
export const newPasswordSchema = z
  .string()
  .meta({ maxLength: PASSWORD_MAX, format: 'password', description: 'The new password.' })
export const resetBodySchema = z
  .object({
    email: optionalText({ minLength: 1, examples: ['ada@example.com'] }),
    resetToken: optionalText({ minLength: 1, description: 'From the link in the email.' }),
    password: newPasswordSchema.optional(),
  })
  .meta({
    id: 'ResetPasswordRequest',
    // The use case checks this member, and its messages name the member.
    required: ['email'],
    dependentRequired: { resetToken: ['password'], password: ['resetToken'] },
  })
export const currentPassword = optionalText({
  minLength: 1,
  format: 'password',
  description: 'The current password.',
})
export const changePasswordBodySchema = z
  .object({
    password: currentPassword,
    newPassword: newPasswordSchema.optional(),
  })
  .meta({ id: 'ChangePasswordRequest', required: ['password', 'newPassword'] })
/** The use case checks these members, and its error messages name the invalid member. */
const ownProof = z.object({ password: currentPassword, code: codeSchema })
export const deleteAccountBodySchema = ownProof.meta({ id: 'DeleteAccountRequest', required: ['password'] })
export const confirmBodySchema = ownProof
  .extend({ passkey: credentialSchema })
  .meta({ id: 'ConfirmRequest', required: ['password'] })
export const exportAccountBodySchema = ownProof.meta({ id: 'ExportAccountRequest', required: ['password'] })
export const loginAsBodySchema = z
  .object({
    userId: z
      .int({ error: ({ input }) => (input === undefined ? REQUIRED : MUST_BE.id) })
      .positive(MUST_BE.id)
      .describe('Id of the other account.'),
    code: codeSchema,
  })
  .meta({ id: 'LoginAsRequest' })

const messageSchema = z
  .strictObject({ message: z.string(), field: z.string(), type: z.enum(MESSAGE_TYPES), code: z.int() })
  .meta({ id: 'Message' })

const rowListSchema = z
  .record(z.string(), z.strictObject({ uuid: z.string(), key: z.string(), label: z.string() }))
  .describe('Roles keyed by their `key`.')
const userSchema = z.strictObject({ id: z.int().positive(), email: z.string() }).meta({ id: 'User' })

export const identityViewSchema = z
  .strictObject({
    jwt: z.string().nullable().describe('Access token; null unless the reply issues it.'),
    refreshToken: z.string().nullable(),
    refreshed: z.boolean(),
    loggedIn: z.boolean(),
    loggedInAs: z.boolean(),
    user: userSchema.nullable(),
    userAs: userSchema.nullable(),
    messages: z.array(messageSchema),
    roleList: rowListSchema,
    groupList: rowListSchema,
    typeList: rowListSchema,
  })
  .meta({ id: 'IdentityView' })

export const identityEnvelopeSchema = envelopeOf(identityViewSchema).meta({ id: 'IdentityEnvelope' })

export function envelopeOf<View extends z.ZodType>(view: View) {
  return z.strictObject({ code: z.int(), response: z.boolean(), view })
}

/** The named schema of an envelope with these view members and messages. */
export function envelope<View extends z.ZodRawShape>(id: string, view: View) {
  return envelopeOf(z.strictObject({ ...view, messages: z.array(messageSchema) })).meta({ id })
}
