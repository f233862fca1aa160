import { ANONYMOUS } from '../../domain/access/caller.js'
import type { RoleKey } from '../../domain/access/role.js'
import { shownEmail } from '../../domain/identity/account.js'
import { email as emailRule, withEnteredForm, type Email } from '../../domain/identity/email.js'
import type { Proof, ProofId } from '../../domain/identity/proof.js'
import { isPlainText } from '../../domain/parsed.js'
import { refuse, refuseField, type Refusal } from '../../domain/refusal.js'
import { noRoom } from '../access/role-room.js'
import { givenRoles, unknownRole } from '../access/roles.js'
import { within, type Limited } from '../access/within.js'
import { fields, listOf, optional, parseFields, text } from '../fields.js'
import { issueByMail, newProof } from '../identity/proofs/request-proof.js'
import { count, note, textAs } from '../inputs.js'
import { operation } from '../operation.js'
import type { GivenShared } from '../shared-parts.js'
import { emailTaken } from './named-account.js'

const NOT_SET_UP =
  'Invitations are not set up: permit "auth: sign-up" for the role everyone, and set MAIL_URL.'

/** An invitation that has not been accepted yet. */
export type Invitation = {
  readonly id: ProofId
  readonly email: string
  readonly roles: readonly string[]
  readonly createdAt: number
  readonly expiresAt: number
}

const INVITE_PARTS = [
  ...(['proofs', 'accounts', 'roles', 'permissions', 'assertWithin', 'roleRoom', 'queueMail'] as const),
  ...(['timeOrderedIds', 'audit', 'clock'] as const),
] as const
type Parts = GivenShared<readonly [...typeof INVITE_PARTS, 'authorize'], ['roles']>

/**
 * Queues an email that lets its recipient create an account with these roles within seven days, and resolves with the invitation. Roles
 * require `user-task: role`. Refuses the call with these codes:
 * - `conflict`: an account with the email exists, or people cannot sign up;
 * - `invalid`: the email or a role key is malformed, or the roles do not fit into a token;
 * - `not-found`: a role is not in the role table;
 * - `overloaded`: too many emails are queued.
 */
export const inviteUser = operation({
  permission: ['user', 'invite'],
  input: fields({ email: text, roles: optional(listOf(text)), within }),
  parts: INVITE_PARTS,
  optional: ['roles'],
  run:
    (parts) =>
    async ({ caller, email: entry, roles: texts = [], within }): Promise<Invitation> => {
      const roles = givenRoles(parts, { caller, within }, texts)
      const { email } = parseFields({ email: emailRule(entry) })
      await assertInvitable(parts, email, roles)
      const forms = withEnteredForm(email, entry)
      if ((await parts.roleRoom?.(shownEmail(forms), roles)) === false) throw noRoom()
      const proof = newProof(parts, { purpose: 'invitation', ...forms, roles })
      await issueByMail(parts, proof)
      await parts.audit.record({ event: 'invitation.create', caller, what: `invitation:${proof.id}` })
      return invitationOf(proof)
    },
})

async function assertInvitable(parts: Parts, email: Email, roles: readonly RoleKey[]): Promise<void> {
  if (!parts.permissions.allows(ANONYMOUS, 'auth', 'sign-up'))
    throw refuse('conflict', 'Conflict', NOT_SET_UP)
  const known = roles.length === 0 ? [] : ((await parts.roles?.list()) ?? [])
  const unknown = roles.find((key) => !known.some((role) => role.key === key))
  if (unknown !== undefined) throw unknownRole(unknown)
  if (await parts.accounts.findByEmail(email)) throw emailTaken()
}

/** Returns the invitations with IDs above `after`, ordered by ID, at most `limit`, including expired invitations. */
export const listInvitations = operation({
  permission: ['user', 'invite'],
  input: fields({ after: optional(textAs<ProofId>(note)), limit: optional(count) }),
  parts: ['proofs'],
  run:
    ({ proofs }) =>
    async ({ after, limit = 2 ** 31 - 1 }): Promise<readonly Invitation[]> =>
      (await proofs.page('invitation', after, limit)).map(invitationOf),
})

/** Sends the email of an invitation again, with a new link; the previous link then stops working. Refuses the call with `not-found`. */
export const sendInvitation = operation({
  permission: ['user', 'invite'],
  input: fields({ id: text, within }),
  parts: ['proofs', 'assertWithin', 'queueMail'],
  run:
    (parts) =>
    async (call): Promise<void> => {
      const proof = await invitation(parts, call)
      // The new job needs a new ID, because the previous email may still be queued.
      await parts.queueMail('invitation', shownEmail(proof), undefined, { about: proof.id })
    },
})

/** Revokes an invitation: its link stops working. Refuses the call with `not-found`, even if the invitation has only just been accepted. */
export const revokeInvitation = operation({
  permission: ['user', 'invite'],
  input: fields({ id: text, within }),
  parts: ['proofs', 'assertWithin', 'audit', 'clock'],
  run:
    (parts) =>
    async (call): Promise<void> => {
      const { id } = await invitation(parts, call)
      if ((await parts.proofs.remove(id, parts.clock())) === 'unknown') throw noSuchInvitation()
      await parts.audit.record({ event: 'invitation.revoke', caller: call.caller, what: `invitation:${id}` })
    },
})

async function invitation(
  { proofs, assertWithin }: Pick<Parts, 'proofs' | 'assertWithin'>,
  call: Limited & { readonly id: string },
): Promise<Proof> {
  const found = isPlainText(call.id) ? await proofs.get(call.id as ProofId) : undefined
  if (found?.purpose !== 'invitation') throw noSuchInvitation()
  assertWithin(call, found.roles ?? [])
  return found
}

function noSuchInvitation(): Refusal {
  return refuseField('not-found', 'id', 'NotFound', 'There is no invitation with this id.')
}

function invitationOf(proof: Proof): Invitation {
  const { id, roles = [], createdAt, until: expiresAt } = proof
  return { id, email: shownEmail(proof), roles, createdAt, expiresAt }
}
