import type { Claims } from '../../../domain/identity/claims.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { ClientContext } from '../../client-context.js'
import { countedRoles } from '../identity-of.js'
import { endLapsed } from '../impersonation/refuse-lapsed.js'
import { isActive } from '../own-account.js'
import {
  actorIn,
  currentFactor,
  identityIn,
  lastMoment,
  tokenLogin,
  type CurrentFactorParts,
} from './token-login.js'
import type { GivenParts } from '../part-types.js'

/**
 * Works like `RefuseLapsed`, but for a token without a stored session. Reads both accounts, because their current roles apply. Also refuses
 * if either account is deleted or disabled, or if the epoch of either account has changed. Reads nothing unless the token contains an
 * impersonation.
 */
export type RefuseLapsedLogin = (claims: Claims, client: ClientContext | undefined) => Promise<void>

/** Without `revocations`, an impersonation cannot be ended, so every use of its token is refused and audited. */
export function createRefuseLapsedLogin(
  parts: CurrentFactorParts &
    GivenParts<['permissions', 'accounts', 'audit', 'revocations', 'factorRoles'], ['revocations']>,
): RefuseLapsedLogin {
  const { accounts, revocations, factorRoles } = parts
  return async (claims, client) => {
    const actor = actorIn(claims)
    if (!actor) return
    const [target, acting] = await Promise.all([
      accounts.find(claims.subject),
      accounts.find(actor.accountId),
    ])
    const { epoch, endsAt, factor } = tokenLogin(claims)
    if (!isActive(target, epoch) || !isActive(acting, actor.epoch))
      throw invalidToken('an account in the impersonation was removed or disabled, or its epoch has changed')
    const caller = { ...identityIn(claims), roles: target.roles }
    const until = lastMoment(endsAt * 1000)
    const end = async () =>
      revocations === undefined || (await revocations.revoke(claims.sessionId, until)) === 'revoked'
    const proved = await currentFactor(parts, actor.accountId, factor)
    const actorRoles = countedRoles(acting.roles, proved, factorRoles)
    await endLapsed(parts, { caller, actorRoles, end }, client)
  }
}
