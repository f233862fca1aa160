import type { Caller } from '../../domain/access/caller.js'
import { mailEmails, type AccountId, type Epoch } from '../../domain/identity/account.js'
import { within } from '../access/within.js'
import type { AuditEntry } from '../audit/audit-trail.js'
import { fields, text } from '../fields.js'
import { operation } from '../operation.js'
import { affectedAccount, noSuchAccount } from './named-account.js'
import type { GivenShared } from '../shared-parts.js'

/** The dependencies needed to remove an account. */
export type RemoveAccountParts = GivenShared<
  ['accounts', 'apiKeys', 'audit', 'clock', 'auditLog', 'mailQueue'],
  ['apiKeys', 'auditLog', 'mailQueue']
>

/** Why an account is removed, for the audit log. */
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
  parts: RemoveAccountParts,
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
