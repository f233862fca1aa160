import type { AccountId } from '../../domain/identity/account.js'
import { email, enteredEmail } from '../../domain/identity/email.js'
import { Refusal } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { Clock } from '../../ports/clock.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Authorized } from '../access/authorize.js'
import { parseFields } from '../fields.js'
import type { AuthorizedPassword, HashNewPassword } from './hash-new-password.js'

/**
 * Makes an account. Refuses with `forbidden`, `malformed` (password and hash, or neither), `invalid` (email,
 * password, hash) and `conflict` (the email has an account).
 */
export type CreateUser = (
  input: { authorized: Authorized<'user-task', 'create'>; email: string } & AuthorizedPassword,
) => Promise<AccountId>

/** Takes the proof of `user-task: create`, for a hash that of `user: import` too. */
export function createCreateUser(parts: {
  accounts: Accounts
  hashNewPassword: HashNewPassword
  audit: AuditTrail
  clock: Clock
}): CreateUser {
  return async ({ authorized: { caller }, email: text, ...given }) => {
    const address = parseFields({ email: email(text) }).email
    // Said before a hash is paid for; the store's own unique index decides in the end.
    if (await parts.accounts.findByEmail(address)) throw duplicate()
    const passwordHash = await parts.hashNewPassword(given, { email: address })
    const entered = enteredEmail(text)
    const outcome = await parts.accounts.insert({
      ...{ email: address, passwordHash, createdAt: parts.clock() },
      ...(entered !== address && { enteredEmail: entered }),
    })
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
