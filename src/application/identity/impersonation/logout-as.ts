import { refuse } from '../../../domain/refusal.js'
import type { Accounts } from '../../../ports/accounts.js'
import type { Authorize } from '../../access/authorize.js'
import type { AuditTrail } from '../../audit/audit-trail.js'
import type { Authenticate } from '../authenticate.js'
import type { FactorRoles } from '../factor-roles.js'
import { identityOf } from '../identity-of.js'
import type { Issued } from '../issue.js'
import type { CheckedCredentials } from '../presented.js'
import { assertLogin, type ReplaceLogin } from './replace-login.js'

/**
 * Stops acting as another account: a fresh login of the actor's own, to the end that theirs had, and
 * the credentials of the impersonation are dead. Decided by who acts, not by what the other account
 * is permitted. Refuses as `Authenticate` does, with `forbidden` without an impersonation
 * or the actor is not permitted `auth: logout-as` any more, and with `unavailable` where it could not
 * be audited.
 */
export type LogoutAs = (input: { presented: CheckedCredentials }) => Promise<Issued>

/** What the way back to oneself is made of. */
export type LogoutAsParts = {
  authenticate: Authenticate
  authorize: Authorize
  accounts: Accounts
  replaceLogin: ReplaceLogin
  audit: AuditTrail
  /** None where every role counts in every login. */
  factorRoles?: FactorRoles | undefined
}

/** Needs the permission `auth: logout-as` of the one who acts. */
export function createLogoutAs(parts: LogoutAsParts): LogoutAs {
  return async ({ presented }) => {
    const caller = assertLogin(await parts.authenticate(presented))
    const { actor } = caller
    if (!actor) throw refuse('forbidden', 'Forbidden', 'You do not act as somebody else.')
    const account = await parts.accounts.find(actor.accountId)
    // Between the two reads the account may have gone or changed: then its login is over with it.
    if (!account || account.disabledAt !== undefined || account.epoch !== actor.epoch)
      throw refuse('invalid-token', 'InvalidToken', 'Invalid authentication token.', 'the actor has ended')
    const { sessionId: id, factor, factorSince } = caller
    const session = { id, endsAt: actor.endsAt, ...(factor && { factor }) }
    parts.authorize(identityOf({ account, session }, parts.factorRoles), 'auth', 'logout-as')
    const { client } = presented
    const entry = { event: 'impersonation.end', caller, subject: caller.accountId, client } as const
    await parts.audit.assert(entry)
    try {
      return await parts.replaceLogin(caller, {
        account,
        client,
        endsAt: actor.endsAt,
        factor: factorSince ?? factor,
      })
    } catch (error) {
      await parts.audit.record({ ...entry, outcome: 'failure' })
      throw error
    }
  }
}
