import { defined } from '../../../domain/plain-data.js'
import { invalidToken, refuse } from '../../../domain/refusal.js'
import { fields } from '../../fields.js'
import { identityOf } from '../identity-of.js'
import { identityOperation } from '../identity-operation.js'
import type { Issued } from '../issue.js'
import { assertLogin, isActive } from '../own-account.js'
import { presentedInput } from '../presented.js'
import { withAudit } from './replace-login.js'

/** A time so early that no permission accepts it as a recent proof. */
const NEVER = { at: 0 }

/**
 * Stops acting as another account and begins a new login for the actor, with the end time of the actor's previous login. The credentials of
 * the impersonation become invalid. The actor's permissions apply, not the permissions of the impersonated account. Refuses in the same cases
 * as `Authenticate`. Also refuses with `forbidden` if there is no impersonation or the actor lacks the permission `auth: logout-as`, and with
 * `unavailable` if the audit fails.
 */
export const logoutAs = identityOperation({
  permission: ['auth', 'logout-as'],
  input: fields({ presented: presentedInput }),
  parts: ['authenticate', 'accounts', 'replaceLogin', 'audit', 'factorRoles'],
  run:
    (parts, { assertPermitted }) =>
    async ({ presented }): Promise<Issued> => {
      const { client } = presented
      const caller = assertLogin(await parts.authenticate(presented))
      const { actor, sessionId: id, factorSince: factor } = caller
      if (!actor) throw refuse('forbidden', 'Forbidden', 'You are not acting as another account.')
      const { endsAt } = actor
      const account = await parts.accounts.find(actor.accountId)
      // If the actor's account has changed since the session was read, the actor's login has ended by now.
      if (!isActive(account, actor.epoch)) throw invalidToken('the login of the actor has ended')
      const session = { id, endsAt, ...defined({ factor }) }
      assertPermitted(identityOf({ account, session }, parts.factorRoles))
      const entry = { event: 'impersonation.end', caller, subject: caller.accountId, client } as const
      // Ending an impersonation does not prove the actor's identity, so actions with conditions need a confirmation.
      const next = { account, client, endsAt, factor, proved: NEVER }
      return await withAudit(parts.audit, entry, () => parts.replaceLogin(caller, next))
    },
})
