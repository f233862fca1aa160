import type { Caller } from '../../domain/access/caller.js'
import { mailEmails, type AccountId, type Epoch } from '../../domain/identity/account.js'
import type { Accounts } from '../../ports/accounts.js'
import type { AuditLog } from '../../ports/audit-log.js'
import type { MailQueue } from '../../ports/mail-queue.js'
import type { AuditEntry, AuditTrail } from '../audit/audit-trail.js'

/** What an account is removed from. */
export type RemoveAccountParts = {
  readonly accounts: Accounts
  readonly audit: AuditTrail
  /** None where nothing is recorded in the store. */
  readonly auditLog?: AuditLog | undefined
  /** None where no mail waits in the store. */
  readonly mailQueue?: MailQueue | undefined
}

/** Who takes an account away, and as what it is audited. */
export type Removal = {
  readonly event: Extract<AuditEntry['event'], 'user.delete' | 'account.delete'>
  readonly caller: Caller
  readonly epoch?: Epoch
}

/**
 * Takes an account away for good, with all that is kept about it but its id: memberships, sessions, second factor, reset tokens,
 * mails that wait, and address and request id in the audit log. With an epoch only while the account has it. `unknown` where
 * another call was first; else it is audited, also where what comes after fails.
 *
 * The audit log forgets before, for there is no way to the rest once the account is gone, and after, for what came in between.
 */
export async function removeAccount(
  parts: RemoveAccountParts,
  id: AccountId,
  { event, caller, epoch }: Removal,
): Promise<'removed' | 'unknown'> {
  const forget = async () => {
    // What waits to be added to a count would bring the address back.
    await parts.audit.flush()
    await parts.auditLog?.forget(id)
  }
  await forget()
  const account = await parts.accounts.find(id)
  if (!account || (await parts.accounts.remove(id, epoch)) === 'unknown') return 'unknown'
  // Without the client: of an account that is gone the id alone is kept.
  await parts.audit.record({ event, caller, subject: id })
  for (const email of mailEmails(account)) await parts.mailQueue?.removeTo(email)
  await forget()
  return 'removed'
}
