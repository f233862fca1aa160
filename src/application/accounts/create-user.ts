import type { Caller } from '../../domain/access/caller.js'
import type { AccountId } from '../../domain/identity/account.js'
import { email } from '../../domain/identity/email.js'
import { Refusal } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { Clock } from '../../ports/clock.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Authorize } from '../access/authorize.js'
import { parseFields } from '../fields.js'
import { authorizePassword, type GivenPassword, type HashNewPassword } from './hash-new-password.js'

/**
 * Makes an account. Refuses with `forbidden`, `malformed` (password and hash, or neither), `invalid` (email,
 * password, hash) and `conflict` (the email has an account).
 */
export type CreateUser = (input: { caller: Caller; email: string } & GivenPassword) => Promise<AccountId>

/** Needs the grant `user-task: create`, for a hash `user: import` too. */
export function createCreateUser(parts: {
  authorize: Authorize
  accounts: Accounts
  hashNewPassword: HashNewPassword
  audit: AuditTrail
  clock: Clock
}): CreateUser {
  return async ({ caller, email: text, ...given }) => {
    authorizePassword(parts.authorize, { caller, action: 'create', given })
    const address = parseFields({ email: email(text) }).email
    // Said before a hash is paid for; the store's own unique index decides in the end.
    if (await parts.accounts.findByEmail(address)) throw duplicate()
    const passwordHash = await parts.hashNewPassword(given)
    const outcome = await parts.accounts.insert({ email: address, passwordHash, createdAt: parts.clock() })
    if (outcome.kind !== 'inserted') throw duplicate()
    await parts.audit.record({ event: 'user.create', caller, subject: outcome.id })
    return outcome.id
  }
}

function duplicate(): Refusal {
  return new Refusal('conflict', [
    { field: 'email', type: 'Duplicate', message: 'An account with this email exists already.' },
  ])
}
