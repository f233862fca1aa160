import * as z from 'zod'
import { importUnfinished } from '../../../application/accounts/import-factor.js'
import { isSearch } from '../../../application/accounts/list-users.js'
import { noUserFactor } from '../../../application/accounts/named-account.js'
import type { AccountId } from '../../../domain/identity/account.js'
import { emailBefore } from '../../../domain/identity/email.js'
import { withIsoTimes } from '../../../domain/instant.js'
import { positiveIntegerIn } from '../../../domain/parsed.js'
import {
  accountIn,
  administration,
  administrationList,
  ADMINISTRATION_ROOT,
  done,
  ofAccount,
} from '../../administration.js'
import * as refused from '../../description/refusals.js'
import { bodyOf, type Endpoint } from '../../endpoint.js'
import { badCursor } from '../../keyset.js'
import { exportedUser } from '../account.js'
import * as schemas from '../../schemas/administration.js'
import { optionalText } from '../../schemas/validate.js'
import type { ProofId } from '../../../domain/identity/proof.js'
import type { Exchange } from '../../message.js'

const USERS = '/users'
const USER = `${USERS}/:id`
const PASSWORD = { password: 'a long walk in the park' }

const ENABLE_REFUSALS = { 404: refused.NO_USER, 409: importUnfinished().messages }

/** Actions on an account that need no input except the account. */
const VERBS = [
  ['disable', 'disableUser', 'Disable an account and end its sessions'],
  ['enable', 'enableUser', 'Let a disabled account log in again', ENABLE_REFUSALS],
  ['unlock', 'unlockUser', 'Forget the failed logins of an account'],
] as const

const PASSKEY_ID = z
  .string()
  .meta({ description: 'The id of the passkey.', param: { example: schemas.USER_PASSKEY.example.id } })

/** Omits the route if passkeys are disabled. */
const ifPasskeysAreOn = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  isOffered: ({ administration: isOn, passkeyDomain }) => isOn !== 'off' && passkeyDomain !== undefined,
})

/** The routes for accounts. */
export const users: readonly Endpoint[] = [
  administrationList(USERS, 'listUsers', {
    summary: 'List or search accounts',
    description:
      'In order of id; with `email`, `role` or `disabled` a search, in order of email, for accounts that match all of them.',
    ...{ entries: 'accounts', version: 'u1', example: 7 as AccountId | string },
    filters: {
      email: optionalText({ description: 'The beginning of the email address.', examples: ['ada'] }),
      role: optionalText({ description: 'The key of a role.', examples: ['editor'] }),
      disabled: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: 'If `true`, returns only disabled accounts.', examples: ['true'] }),
    },
    write: String,
    read: (text) => (emailBefore(text).ok ? text : (positiveIntegerIn(text) as AccountId | undefined)),
    input: ({ email, role, disabled }, _, after) => {
      const asked = { email, role, onlyDisabled: disabled === 'true' }
      if (after !== undefined && isSearch(asked) !== (typeof after === 'string')) throw badCursor()
      return asked
    },
    positionOf: ({ id, email }, asked) => (isSearch(asked) ? email : id),
    ...{ row: schemas.USER, present: withIsoTimes, refusals: { 404: refused.NO_ROLE } },
  }),
  administration(['GET', '/duplicate-users'], 'listDuplicateUsers', {
    summary: 'List the accounts that an earlier release created for the same email',
    description: 'All accounts in one reply, sorted by `canonicalEmail`. Reads every account.',
    replies: { 200: { description: 'The accounts', ...schemas.DUPLICATE_USERS } },
    reply: (duplicates) => ({ status: 200, body: duplicates.map(withIsoTimes) }),
  }),
  administration(['POST', USERS], 'createUser', {
    summary: 'Create an account',
    description:
      'Assigning roles also requires the permission `user-task: role`, and passing a hash requires the permission `user: import`.',
    body: bodyOf(schemas.newUserSchema, { email: 'ada@example.com', ...PASSWORD, roles: ['editor'] }),
    replies: {
      201: {
        ...{ description: 'Created', schema: schemas.createdSchema, example: { id: 7 } },
        headers: {
          Location: {
            ...{ description: 'Address of the account.', required: true, schema: { type: 'string' } },
            example: 'https://pets.example/api/admin/users/7',
          },
        },
      },
    },
    refusals: { 400: refused.NO_TEXT('email'), 404: refused.NO_ROLE, 409: refused.EMAIL_TAKEN },
    input: ({ json }) => ({ ...json }),
    reply: (id, { base }) => ({
      status: 201,
      headers: { Location: `${base}${ADMINISTRATION_ROOT}${USERS}/${String(id)}` },
      body: { id },
    }),
  }),
  administration(['GET', USER], 'getUser', {
    summary: 'Read one account',
    ...ofAccount(),
    replies: { 200: { description: 'The account', ...schemas.USER_DETAILS } },
    reply: (user) => ({ status: 200, body: withIsoTimes(user) }),
  }),
  administration(['DELETE', USER], 'deleteUser', {
    summary: 'Delete an account permanently, with its memberships and sessions',
    ...ofAccount(),
    ...done('Deleted'),
  }),
  administration(['PUT', `${USER}/password`], 'setPassword', {
    summary: 'Set the password of an account and end its sessions',
    description: 'Passing a hash also requires the permission `user: import`.',
    body: bodyOf(schemas.newPasswordBodySchema, PASSWORD),
    ...ofAccount(),
    ...done('Set'),
    refusals: { 404: refused.NO_USER, 400: refused.PASSWORD_NOT_VALID },
  }),
  administration(['PUT', `${USER}/email`], 'changeUserEmail', {
    summary: 'Change the email of an account and end its sessions',
    body: bodyOf(schemas.newEmailSchema, { newEmail: 'ada.lovelace@example.com' }),
    ...ofAccount(),
    ...done('Changed'),
    refusals: { 404: refused.NO_USER, 400: refused.NO_TEXT('newEmail'), 409: refused.EMAIL_TAKEN },
  }),
  administration(['GET', `${USER}/export`], 'exportUser', {
    summary: 'Export all data of an account for its owner',
    ...ofAccount(),
    replies: {
      200: { description: 'The data', schema: schemas.userExportSchema, example: schemas.USER_EXPORT },
    },
    refusals: { 404: refused.NO_USER, 409: refused.LONG_EXPORT },
    reply: async (data) => ({ status: 200, body: await exportedUser(data) }),
  }),
  administration(['GET', `${USER}/second-factor`], 'readUserFactor', {
    summary: 'Read whether an account has a second factor',
    ...ofAccount(),
    replies: { 200: { description: 'The state', ...schemas.FACTOR } },
    reply: (factor) => ({ status: 200, body: withIsoTimes(factor) }),
  }),
  administration(['DELETE', `${USER}/second-factor`], 'removeUserFactor', {
    summary: 'Remove the second factor of a user who has lost it',
    ...ofAccount(),
    ...done('Removed'),
    reply: (outcome) => {
      if (outcome === 'unchanged') throw noUserFactor()
      return { status: 204 }
    },
    refusals: { 404: noUserFactor().messages },
  }),
  ifPasskeysAreOn(
    administration(['GET', `${USER}/passkeys`], 'listUserPasskeys', {
      summary: 'List the passkeys of an account, oldest first',
      ...ofAccount(),
      replies: {
        200: {
          description: 'The passkeys',
          ...{ schema: z.array(schemas.USER_PASSKEY.schema), example: [schemas.USER_PASSKEY.example] },
        },
      },
      reply: (passkeys) => ({ status: 200, body: passkeys.map(withIsoTimes) }),
    }),
  ),
  ifPasskeysAreOn(
    administration(['DELETE', `${USER}/passkeys/:passkeyId`], 'removeUserPasskey', {
      summary: 'Remove a passkey of a user who has lost the device',
      description: 'Sessions continue. The only way to log in cannot be removed.',
      ...ofAccount({ passkeyId: PASSKEY_ID }),
      ...done('Removed'),
      refusals: { 404: refused.NO_PASSKEY, 409: refused.LAST_PASSKEY },
      input: (exchange) => ({ ...accountIn(exchange), id: exchange.request.parameters['passkeyId'] ?? '' }),
    }),
  ),
  administration(['POST', `${USER}/reset-mail`], 'sendResetMail', {
    summary: 'Send the owner of an account an email with a link to set a new password',
    ...ofAccount(),
    replies: { 202: { description: 'The email is queued' } },
    refusals: {
      404: refused.NO_USER,
      409: refused.messageOf('Conflict', 'The account is disabled.', 'email'),
    },
    reply: () => ({ status: 202, body: '' }),
  }),
  administration(['POST', `${USER}/approve`], 'approveUser', {
    summary: 'Enable an account that waits for approval, and tell its owner by email',
    ...ofAccount(),
    ...done('Approved'),
    refusals: {
      404: refused.NO_USER,
      409: refused.messageOf('Conflict', 'The account is not waiting for approval.', 'email'),
    },
  }),
  ...VERBS.map(([verb, operation, summary, refusals]) =>
    administration(['POST', `${USER}/${verb}`], operation, {
      ...{ summary, ...ofAccount(), ...done('Done'), ...(refusals && { refusals }) },
    }),
  ),
]

const INVITATIONS = '/invitations'
const INVITATION = `${INVITATIONS}/:id`
const { example } = schemas.INVITATION
const ID = z.string().meta({ description: 'The id of the invitation.', param: { example: example.id } })

const ofInvitation = {
  parameters: { path: z.object({ id: ID }) },
  refusals: { 404: refused.messageOf('NotFound', 'There is no invitation with this id.', 'id') },
  input: ({ request }: Exchange) => ({ id: request.parameters['id'] ?? '' }),
}
const mailed = { description: 'The email is queued' }

export const invitations: readonly Endpoint[] = [
  administrationList(INVITATIONS, 'listInvitations', {
    summary: 'List the invitations that were not accepted, including expired invitations',
    ...{ entries: 'invitations', version: 'i1', example: example.id as ProofId, write: String },
    read: (text) => (schemas.TIME_ORDERED_ID.test(text) ? (text as ProofId) : undefined),
    positionOf: ({ id }) => id,
    ...{ row: schemas.INVITATION, present: withIsoTimes },
  }),
  administration(['POST', INVITATIONS], 'inviteUser', {
    summary: 'Invite the owner of an email address to create an account with these roles',
    description: 'Assigning roles also requires the permission `user-task: role`.',
    body: bodyOf(schemas.newInvitationSchema, { email: example.email, roles: example.roles }),
    replies: { 201: { ...mailed, ...schemas.INVITATION } },
    refusals: { 400: refused.NO_TEXT('email'), 404: refused.NO_ROLE, 409: refused.EMAIL_TAKEN },
    input: ({ json }) => ({ ...json }),
    reply: (invitation) => ({ status: 201, body: withIsoTimes(invitation) }),
  }),
  administration(['POST', `${INVITATION}/mail`], 'sendInvitation', {
    summary: 'Send an invitation email again, and invalidate the earlier link',
    ...ofInvitation,
    replies: { 202: mailed },
    reply: () => ({ status: 202, body: '' }),
  }),
  administration(['DELETE', INVITATION], 'revokeInvitation', {
    ...{ summary: 'Revoke an invitation', ...ofInvitation, ...done('Revoked') },
  }),
]
