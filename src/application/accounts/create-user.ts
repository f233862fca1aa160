import { email as emailRule, enteredEmail } from '../../domain/identity/email.js'
import { refuseField, type Refusal } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { Clock } from '../../ports/clock.js'
import type { Authorize } from '../access/authorize.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { parseFields } from '../fields.js'
import { operation } from '../operation.js'
import { assertMayImport, type HashNewPassword } from './hash-new-password.js'
import { namedPassword } from './set-password.js'

type Parts = {
  accounts: Accounts
  hashNewPassword: HashNewPassword
  authorize: Authorize
  audit: AuditTrail
  clock: Clock
}

/**
 * Makes an account and resolves with its ID. A hash needs the permission `user: import` too. Refuses with `malformed` (password
 * and hash, or neither), `invalid` (email, password, hash) and `conflict` (the email has an account).
 */
export const createUser = operation({
  permission: ['user-task', 'create'],
  input: namedPassword,
  parts: ['accounts', 'hashNewPassword', 'audit', 'clock'],
  run:
    ({ accounts, hashNewPassword, authorize, audit, clock }: Parts) =>
    async ({ caller, email: text, ...given }) => {
      assertMayImport(authorize, caller, given)
      const { email } = parseFields({ email: emailRule(text) })
      // Saves the cost of a hash if the email is known; the unique index of the store decides in the end.
      if (await accounts.findByEmail(email)) throw duplicate()
      const passwordHash = await hashNewPassword(given, { email })
      const entered = enteredEmail(text)
      const outcome = await accounts.insert({
        ...{ email, passwordHash, createdAt: clock() },
        ...(entered !== email && { enteredEmail: entered }),
      })
      if (outcome.kind !== 'inserted') throw duplicate()
      await audit.record({ event: 'user.create', caller, subject: outcome.id })
      return outcome.id
    },
})

function duplicate(): Refusal {
  return refuseField('conflict', 'email', 'Duplicate', 'An account with this email exists already.')
}
