import type { Caller } from '../../domain/access/caller.js'
import { mailEmails, type AccountId, type Epoch } from '../../domain/identity/account.js'
import type { Accounts } from '../../ports/accounts.js'
import type { AuditLog } from '../../ports/audit-log.js'
import type { MailQueue } from '../../ports/mail-queue.js'
import type { AuditEntry, AuditTrail } from '../audit/audit-trail.js'
import { fields, text } from '../fields.js'
import { operation } from '../operation.js'
import { namedAccount, noSuchAccount } from './named-account.js'

export type RemoveAccountParts = {
  readonly accounts: Accounts
  readonly audit: AuditTrail
  readonly auditLog?: AuditLog | undefined
  readonly mailQueue?: MailQueue | undefined
}

/** The cause of a removal, for the audit log. */
export type Removal = {
  readonly event: Extract<AuditEntry['event'], 'user.delete' | 'account.delete'>
  readonly caller: Caller
  readonly epoch?: Epoch
}

/**
 * Removes an account for good with all data about it except its ID: memberships, sessions, second factor, reset tokens,
 * waiting mails, and addresses and request IDs in the audit log. With an epoch, only while the account has it. `unknown`
 * if another call was first; otherwise it is audited, even if a later step fails.
 * The audit log forgets twice: before the removal, because the account is needed to find its data, and after it, for
 * records written in the meantime.
 */
export async function removeAccount(
  parts: RemoveAccountParts,
  id: AccountId,
  { event, caller, epoch }: Removal,
): Promise<'removed' | 'unknown'> {
  const forget = async () => {
    // A pending count, written later, would bring the address back.
    await parts.audit.flush()
    await parts.auditLog?.forget(id)
  }
  await forget()
  const account = await parts.accounts.find(id)
  if (!account || (await parts.accounts.remove(id, epoch)) === 'unknown') return 'unknown'
  // Without the client: only the ID of a removed account is kept.
  await parts.audit.record({ event, caller, subject: id })
  for (const email of mailEmails(account)) await parts.mailQueue?.removeTo(email)
  await forget()
  return 'removed'
}

/**
 * Removes an account with all data about it (`removeAccount`). Its projects and the pets stay, the audit log keeps only
 * its ID, and the ID is never reused. Refuses with `invalid` and `not-found`.
 */
export const deleteUser = operation({
  permission: ['user', 'delete'],
  input: fields({ email: text }),
  parts: ['accounts', 'audit', 'auditLog', 'mailQueue'],
  optional: ['auditLog', 'mailQueue'],
  run:
    (parts: RemoveAccountParts) =>
    async ({ caller, email }) => {
      const account = await namedAccount(parts.accounts, email)
      if ((await removeAccount(parts, account.id, { event: 'user.delete', caller })) === 'unknown')
        throw noSuchAccount()
    },
})
