import * as z from 'zod'
import { PASSWORD_MAX } from '../../domain/identity/password.js'
import { MUST_BE, REQUIRED } from '../../domain/messages.js'
import type { MessageType } from '../../domain/refusal.js'

/** Of a second factor. */
export const codeSchema = z
  .string()
  .optional()
  .meta({
    description: 'Of the second factor, where the account has one: six digits, or a recovery code.',
    examples: ['492039'],
  })

/** Bodies of the identity routes. Members that are not named here are ignored. */
export const loginBodySchema = z
  .object({
    email: z
      .string()
      .optional()
      .meta({ examples: ['ada@example.com'] }),
    password: z.string().optional().meta({ format: 'password' }),
    code: codeSchema,
  })
  .meta({ id: 'LoginRequest' })
export const refreshBodySchema = z
  .object({
    refreshToken: z
      .string()
      .optional()
      .meta({ description: 'From the reply to the login, or to the refresh before.' }),
  })
  .meta({ id: 'RefreshRequest' })
export const logoutBodySchema = z.object({}).meta({ id: 'LogoutRequest' })
/** A password to be set. The use case judges its length, and the description says the configured minimum. */
export const newPasswordSchema = z
  .string()
  .meta({ maxLength: PASSWORD_MAX, format: 'password', description: 'The new password.' })
export const resetBodySchema = z
  .object({
    email: z
      .string()
      .optional()
      .meta({ minLength: 1, examples: ['ada@example.com'] }),
    resetToken: z.string().optional().meta({ minLength: 1, description: 'From the link of the mail.' }),
    password: newPasswordSchema.optional(),
  })
  .meta({
    id: 'ResetPasswordRequest',
    // Judged by the use case, which says of each member what is wrong with it.
    required: ['email'],
    dependentRequired: { resetToken: ['password'], password: ['resetToken'] },
  })
const currentPassword = z
  .string()
  .optional()
  .meta({ minLength: 1, format: 'password', description: 'The current password.' })
export const changePasswordBodySchema = z
  .object({
    password: currentPassword,
    newPassword: newPasswordSchema.optional(),
  })
  .meta({ id: 'ChangePasswordRequest', required: ['password', 'newPassword'] })
export const deleteAccountBodySchema = z
  .object({ password: currentPassword, code: codeSchema })
  // Judged by the use case, which says what is wrong with it.
  .meta({ id: 'DeleteAccountRequest', required: ['password'] })
export const loginAsBodySchema = z
  .object({
    userId: z
      .int({ error: ({ input }) => (input === undefined ? REQUIRED : MUST_BE.id) })
      .positive(MUST_BE.id)
      .meta({ description: 'Id of the other account.' }),
    code: codeSchema,
  })
  .meta({ id: 'LoginAsRequest' })

const MESSAGE_TYPES = [
  'Required',
  'Format',
  'Length',
  'Duplicate',
  'NotValid',
  'LoginFailed',
  'InvalidToken',
  'Forbidden',
  'NotFound',
  'Conflict',
  'TooMany',
  'Unavailable',
] as const satisfies readonly MessageType[]

export const messageSchema = z
  .strictObject({ message: z.string(), field: z.string(), type: z.enum(MESSAGE_TYPES), code: z.int() })
  .meta({ id: 'Message' })

const rowListSchema = z
  .record(z.string(), z.strictObject({ uuid: z.string(), key: z.string(), label: z.string() }))
  .meta({ description: 'Rows keyed by their `key`.' })
const userSchema = z.strictObject({ id: z.int().positive(), email: z.string() }).meta({ id: 'User' })

export const identityViewSchema = z
  .strictObject({
    jwt: z
      .string()
      .nullable()
      .meta({ description: 'Access token; filled only by the reply that issues it.' }),
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

export const identityEnvelopeSchema = z
  .strictObject({ code: z.int(), response: z.boolean(), view: identityViewSchema })
  .meta({ id: 'IdentityEnvelope' })
