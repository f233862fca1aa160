import type { Permissions } from '../../../domain/access/permissions.js'
import type { Claims } from '../../../domain/identity/claims.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { Accounts } from '../../../ports/accounts.js'
import type { Revocations } from '../../../ports/revocations.js'
import type { AuditTrail } from '../../audit/audit-trail.js'
import type { ClientContext } from '../../client-context.js'
import { countedRoles, type FactorRoles } from '../factor-roles.js'
import { endLapsed } from '../impersonation/refuse-lapsed.js'
import { actorIn, carriedLogin, identityIn, isActive, lastMoment } from './carried-login.js'
import { currentFactor, type CurrentFactorParts } from './current-factor.js'

/**
 * `RefuseLapsed` by the token alone: reads both accounts, so that it is their roles of now that
 * count, and refuses too where either account is gone, disabled or in another epoch. No read where
 * the token tells of no impersonation.
 */
export type RefuseLapsedLogin = (claims: Claims, client: ClientContext | undefined) => Promise<void>

/** Without `revocations` nothing can be ended: every use that is judged is refused, and audited. */
export function createRefuseLapsedLogin(
  parts: CurrentFactorParts & {
    permissions: Permissions
    accounts: Accounts
    audit: AuditTrail
    revocations?: Revocations | undefined
    /** None where every role counts in every login. */
    factorRoles?: FactorRoles | undefined
  },
): RefuseLapsedLogin {
  const { accounts, revocations, factorRoles } = parts
  return async (claims, client) => {
    const actor = actorIn(claims)
    if (!actor) return
    const [target, acting] = await Promise.all([
      accounts.find(claims.subject),
      accounts.find(actor.accountId),
    ])
    const { epoch, endsAt, factor } = carriedLogin(claims)
    if (!isActive(target, epoch) || !isActive(acting, actor.epoch))
      throw invalidToken('an account of the impersonation is gone, disabled or in another epoch')
    const caller = { ...identityIn(claims), roles: target.roles }
    const until = lastMoment(endsAt * 1000)
    const end = async () =>
      revocations === undefined || (await revocations.revoke(claims.sessionId, until)) === 'revoked'
    const isProved = (await currentFactor(parts, actor.accountId, factor)) !== undefined
    const actorRoles = countedRoles(acting.roles, isProved || undefined, factorRoles)
    await endLapsed(parts, { caller, actorRoles, end }, client)
  }
}
