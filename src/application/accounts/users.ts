import type { Caller } from '../../domain/access/caller.js'
import { shownEmail, mailEmails, type AccountId, type Epoch } from '../../domain/identity/account.js'
import { email as emailRule, withEnteredForm } from '../../domain/identity/email.js'
import { noRoom } from '../access/role-room.js'
import { givenRoles, unknownRole } from '../access/roles.js'
import { within, type Limited } from '../access/within.js'
import type { AuditEntry } from '../audit/audit-trail.js'
import { listOf, optional, parseFields, text, fields, type ObjectParser } from '../fields.js'
import { operation } from '../operation.js'
import type { GivenShared } from '../shared-parts.js'
import { emailTaken, accountName, affectedAccount, noSuchAccount } from './named-account.js'
import { assertMayImport, type GivenPassword } from './passwords.js'
import { namedPassword } from './user-passwords.js'

type Input = { readonly email: string; readonly roles?: readonly string[] | undefined } & GivenPassword &
  Pick<Limited, 'within'>

/**
 * Creates an account with its roles in one write and resolves with its ID. Supplying a hash also requires `user: import`, and roles require
 * `user-task: role`. Creates nothing if it refuses the call:
 * - `malformed`: the input has both a password and a hash, or neither;
 * - `invalid`: the email, the password, the hash or a role key is invalid, or the roles do not fit into a token;
 * - `conflict`: an account with the email exists;
 * - `not-found`: a role is not in the role table.
 */
export const createUser = operation({
  permission: ['user-task', 'create'],
  input: namedPassword.with({ roles: optional(listOf(text)), within }) as ObjectParser<Input>,
  parts: ['accounts', 'assertWithin', 'hashNewPassword', 'audit', 'clock', 'roleRoom'],
  run:
    ({ accounts, hashNewPassword, authorize, assertWithin, audit, clock, roleRoom }) =>
    async ({ caller, email: entry, roles: texts = [], within, ...credential }) => {
      assertMayImport(authorize, caller, credential)
      const roles = givenRoles({ authorize, assertWithin }, { caller, within }, texts)
      const { email } = parseFields({ email: emailRule(entry) })
      // This check only avoids an unnecessary hash; the store's unique index prevents duplicates.
      if (await accounts.findByEmail(email)) throw emailTaken()
      const forms = withEnteredForm(email, entry)
      if ((await roleRoom?.(shownEmail(forms), roles)) === false) throw noRoom()
      const passwordHash = await hashNewPassword(credential, { email })
      const outcome = await accounts.insert({
        ...{ ...forms, passwordHash, roles, createdAt: clock() },
      })
      if (outcome.kind === 'unknown-role') throw unknownRole(outcome.role)
      if (outcome.kind !== 'inserted') throw emailTaken()
      const { id: subject } = outcome
      await audit.record({ event: 'user.create', caller, subject })
      for (const role of roles)
        await audit.record({ event: 'role.assign', caller, subject, what: `role:${role}` })
      return subject
    },
})

/**
 * Changes the email of an account. Ends all sessions of the account and invalidates its reset tokens, because a stranger may be reading
 * the previous mailbox; the password, the roles and the second factor do not change. Then removes the links that undo earlier changes,
 * because a thief who changed the email twice has received such a link. Refuses the call with `invalid`, `not-found` or `conflict`
 * (another account has the email).
 */
export const changeUserEmail = operation({
  permission: ['user', 'email'],
  input: fields({ email: text, newEmail: text, within }),
  parts: ['accounts', 'proofs', 'assertWithin', 'audit', 'clock'],
  optional: ['proofs'],
  run:
    ({ audit, proofs, clock, ...parts }) =>
    async (call) => {
      const { caller, email, newEmail: entry } = call
      const { newEmail } = parseFields({ email: accountName(email), newEmail: emailRule(entry) })
      const { id } = await affectedAccount(parts, call)
      const outcome = await parts.accounts.changeEmail({ id, ...withEnteredForm(newEmail, entry) })
      if (outcome === 'unknown') throw noSuchAccount()
      if (outcome === 'email-taken') throw emailTaken('newEmail')
      await audit.record({ event: 'user.email', caller, subject: id })
      for (const { id: proof, purpose } of (await proofs?.listOf(id)) ?? [])
        if (purpose === 'undo-email') await proofs?.remove(proof, clock())
    },
})

export type Removal = {
  readonly event: Extract<AuditEntry['event'], 'user.delete' | 'account.delete'>
  readonly caller: Caller
  readonly epoch?: Epoch
}

/**
 * Permanently removes an account with all data about it except its ID: memberships, sessions, second factor, reset tokens, queued emails,
 * and addresses and request IDs in the audit log. Revokes the API keys of the account last, because once the account is removed, no store
 * finds these keys. If an epoch is given, removes the account only while it has this epoch. Returns `unknown` if another call removed or
 * changed the account first; otherwise the removal is audited, even if a later step fails. Erases the account's data from the audit log
 * twice: before the removal, because the account is needed to find the data, and afterwards, for records that were written in between.
 */
export async function removeAccount(
  parts: GivenShared<
    ['accounts', 'apiKeys', 'audit', 'clock', 'auditLog', 'mailQueue'],
    ['apiKeys', 'auditLog', 'mailQueue']
  >,
  id: AccountId,
  { event, caller, epoch }: Removal,
): Promise<'removed' | 'unknown'> {
  const forget = async () => {
    // Pending counts contain the address, so they must be written before the erasure, not after it.
    await parts.audit.flush()
    await parts.auditLog?.forget(id)
  }
  await forget()
  const account = await parts.accounts.find(id)
  if (!account || (await parts.accounts.remove(id, epoch)) === 'unknown') return 'unknown'
  // The record omits the client, because only the ID of a removed account is kept.
  await parts.audit.record({ event, caller, subject: id })
  for (const email of mailEmails(account)) await parts.mailQueue?.removeTo(email)
  await forget()
  await parts.apiKeys?.revokeAllOf(id, parts.clock())
  return 'removed'
}

/**
 * Removes an account with all data about it (`removeAccount`). The projects of the account and all pets stay, the audit log keeps only the
 * account ID, and the ID is never reused. Refuses the call with `invalid` or `not-found`.
 */
export const deleteUser = operation({
  permission: ['user', 'delete'],
  input: fields({ email: text, within }),
  parts: ['accounts', 'assertWithin', 'apiKeys', 'audit', 'auditLog', 'clock', 'mailQueue'],
  optional: ['apiKeys', 'auditLog', 'mailQueue'],
  run: (parts) => async (call) => {
    const { id } = await affectedAccount(parts, call)
    const removal = { event: 'user.delete', caller: call.caller } as const
    if ((await removeAccount(parts, id, removal)) === 'unknown') throw noSuchAccount()
  },
})
