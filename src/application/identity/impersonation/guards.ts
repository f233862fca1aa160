import type { Identity } from '../../../domain/access/caller.js'
import type { Permissions } from '../../../domain/access/permissions.js'
import type { Role } from '../../../domain/access/role.js'
import type { Claims } from '../../../domain/identity/claims.js'
import type { ActiveSession, SessionKey } from '../../../domain/identity/session.js'
import { invalidToken, whileImpersonating } from '../../../domain/refusal.js'
import type { ClientContext } from '../../client-context.js'
import type { GivenShared } from '../../shared-parts.js'
import { countedRoles, identityOf, validFactor, isActive } from '../identity-of.js'
import type { CheckedCredentials } from '../presented.js'
import {
  actorIn,
  currentFactor,
  identityIn,
  lastMoment,
  tokenLogin,
  type CurrentFactorParts,
} from '../token-login.js'

/**
 * Ends an impersonation and refuses the call with `invalid-token` if the actor has lost the permission `auth: login-as`, or if the other
 * account now has it. The end of the impersonation is audited once. Accepts all other sessions.
 */
export type RefuseLapsed = (active: ActiveSession, client: ClientContext | undefined) => Promise<void>

export function createRefuseLapsedSession(
  parts: GivenShared<['permissions', 'sessions', 'audit', 'factorRoles']>,
): RefuseLapsed {
  return async (active, client) => {
    if (!active.session.actor) return
    const end = async () => (await parts.sessions.end(active.session.id)) === 'ended'
    const actorRoles = countedRoles(active.actorRoles ?? [], validFactor(active), parts.factorRoles)
    await endLapsed(parts, { caller: identityOf(active), actorRoles, end }, client)
  }
}

type Impersonation = {
  /** The impersonated account with its current roles. */
  readonly caller: Identity
  readonly actorRoles: readonly Role[]
  /** Resolves with `false` if another call has already ended the impersonation. */
  readonly end: () => Promise<boolean>
}

/** Only the call that ends the impersonation audits it. */
async function endLapsed(
  { permissions, audit }: GivenShared<['permissions', 'audit']>,
  { caller, actorRoles, end }: Impersonation,
  client: ClientContext | undefined,
): Promise<void> {
  const cause = causeOf(permissions, caller, actorRoles)
  if (cause === undefined) return
  if (await end()) {
    const { accountId: subject } = caller
    const entry = { event: 'impersonation.end', caller, subject, what: `cause:${cause}` } as const
    await audit.record({ ...entry, outcome: 'failure', client })
  }
  throw invalidToken(`the impersonation was ended: ${cause}`)
}

function causeOf(permissions: Permissions, target: Identity, actorRoles: readonly Role[]) {
  const mayLoginAs = (roles: readonly Role[]) => permissions.allows({ ...target, roles }, 'auth', 'login-as')
  if (!mayLoginAs(actorRoles)) return 'actor-lost-login-as'
  return mayLoginAs(target.roles) ? 'target-gained-login-as' : undefined
}

/**
 * Works like `RefuseLapsed`, but for a token without a stored session. Reads both accounts, because their current roles apply. Also refuses
 * if either account is deleted or disabled, or if the epoch of either account has changed. Reads nothing unless the token contains an
 * impersonation.
 */
export type RefuseLapsedLogin = (claims: Claims, client: ClientContext | undefined) => Promise<void>

/** Without `revocations`, an impersonation cannot be ended, so every use of its token is refused and audited. */
export function createRefuseLapsedLogin(
  parts: CurrentFactorParts &
    GivenShared<['permissions', 'accounts', 'audit', 'revocations', 'factorRoles'], ['revocations']>,
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

/**
 * Refuses with `forbidden` a request made during an impersonation. If the login has a session and the impersonation has lost its permission,
 * the refusal is the same as from `RefuseLapsed`.
 */
export type RefuseImpersonated = (claims: Claims | undefined, presented: CheckedCredentials) => Promise<void>

export function createRefuseImpersonatedSession(
  parts: GivenShared<['sessions', 'sessionKeys', 'clock']> & { refuseLapsed: RefuseLapsed },
): RefuseImpersonated {
  const { sessions, sessionKeys, refuseLapsed, clock } = parts
  return async (claims, { sessionKey, client }) => {
    const refuseActing = async (active: ActiveSession | undefined) => {
      if (!active?.session.actor) return
      await refuseLapsed(active, client)
      throw whileImpersonating()
    }
    if (sessionKey !== undefined)
      await refuseActing(await sessions.find(sessionKeys.digest(sessionKey as SessionKey), clock()))
    // A token whose session has ended is ignored.
    if (claims?.actor) await refuseActing(await sessions.findById(claims.sessionId, clock()))
  }
}

/** For stateless mode, in which only the token is checked. */
export const refuseImpersonatedToken: RefuseImpersonated = async (claims) => {
  if (claims?.actor) throw whileImpersonating()
}
