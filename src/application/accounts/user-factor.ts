import { shownEmail } from '../../domain/identity/account.js'
import type { Accounts } from '../../ports/accounts.js'
import type { SecondFactors } from '../../ports/second-factors.js'
import { assertProven, type Authorized } from '../access/authorize.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import {
  factorStatus,
  type FactorStatus,
  type FactorStatusParts,
} from '../identity/second-factor/read-second-factor.js'
import type { Notices } from '../mail/notices.js'
import { namedAccount } from './named-account.js'

/** Of whom. */
export type UserFactorRequest = { authorized: Authorized<'user', 'remove-factor'>; email: string }

/** Whether an account has a second factor. Refuses with `forbidden`, `invalid` and `not-found`. */
export type ReadUserFactor = (input: UserFactorRequest) => Promise<FactorStatus>

/** Takes the proof of `user: remove-factor`. */
export function createReadUserFactor(parts: FactorStatusParts & { accounts: Accounts }): ReadUserFactor {
  return async ({ authorized, email }) => {
    assertProven(authorized)
    return await factorStatus(parts, await namedAccount(parts.accounts, email))
  }
}

/**
 * Takes the second factor of an account away, active or not, for someone who has lost it: the next login needs the password
 * alone. `unchanged` where there is none. Sessions go on, without the roles that need a second factor. Refuses with
 * `forbidden`, `invalid` and `not-found`.
 */
export type RemoveUserFactor = (input: UserFactorRequest) => Promise<'removed' | 'unchanged'>

/** Takes the proof of `user: remove-factor`. */
export function createRemoveUserFactor(parts: {
  accounts: Accounts
  secondFactors: SecondFactors
  notices?: Notices | undefined
  audit: AuditTrail
}): RemoveUserFactor {
  return async ({ authorized: { caller }, email }) => {
    const account = await namedAccount(parts.accounts, email)
    const subject = account.id
    if ((await parts.secondFactors.remove(subject)) === 'unknown') return 'unchanged'
    await parts.audit.record({ event: 'factor.remove', caller, subject })
    await parts.notices?.send('factor', { email: shownEmail(account), about: 'removed' })
    return 'removed'
  }
}
