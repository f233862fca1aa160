import type { Accounts } from '../../ports/accounts.js'
import type { AttemptLimiter } from '../../ports/attempt-limiter.js'
import type { Digest } from '../../ports/digest.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, text } from '../fields.js'
import { clearAttempts } from '../identity/throttle.js'
import { operation } from '../operation.js'
import { namedAccount } from './named-account.js'

type Parts = { accounts: Accounts; attempts: AttemptLimiter; digest: Digest; audit: AuditTrail }

/**
 * Lets the owner of an account log in again immediately after too many wrong passwords or codes (`clearAttempts`). Does not change the
 * password or the sessions, and does not enable a disabled account. Refuses the call with `invalid` or `not-found`.
 */
export const unlockUser = operation({
  permission: ['user', 'unlock'],
  input: fields({ email: text }),
  parts: ['accounts', 'attempts', 'digest', 'audit'],
  run:
    ({ accounts, audit, ...parts }: Parts) =>
    async ({ caller, email }) => {
      const account = await namedAccount(accounts, email)
      await clearAttempts(parts, account.email)
      await audit.record({ event: 'user.unlock', caller, subject: account.id })
    },
})
