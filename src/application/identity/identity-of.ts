import type { Identity } from '../../domain/access/caller.js'
import type { Permissions } from '../../domain/access/permissions.js'
import type { Role, RoleKey } from '../../domain/access/role.js'
import { shownEmail, type Account, type Epoch } from '../../domain/identity/account.js'
import { proofOf, type ActiveSession, type Session } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { PasskeyVerifier } from '../../ports/passkeys.js'

/** The keys of the roles that apply only in a login with a second factor. */
export type FactorRoles = ReadonlySet<RoleKey>

/** Returns the roles that apply in a login. With a second factor, all roles apply. */
export function countedRoles(
  roles: readonly Role[],
  factor: Instant | undefined,
  factorRoles: FactorRoles | undefined,
): readonly Role[] {
  if (factor !== undefined || !factorRoles) return roles
  return roles.filter(({ key }) => !factorRoles.has(key))
}

/**
 * Returns the time when the second factor used for this login was confirmed, if the account still has this factor. During an
 * impersonation, the factor belongs to the actor's own account.
 */
export function validFactor({ session, account, actorFactor }: Active): Instant | undefined {
  const { factor, actor } = session
  return factor === (actor ? actorFactor : account.secondFactor) ? factor : undefined
}

export function identityOf(active: Active & { account: Account }, factorRoles?: FactorRoles): Identity {
  const { account, session } = active
  const { id: accountId, epoch } = account
  const email = shownEmail(account)
  const { id: sessionId, endsAt, actor } = session
  const factor = validFactor(active)
  const roles = countedRoles(account.roles, factor, factorRoles)
  return {
    kind: 'account',
    accountId,
    email,
    roles,
    sessionId,
    epoch,
    endsAt,
    ...provedFactor(factor),
    ...(actor && { actor }),
  }
}

/** Returns the identity members for a login whose second factor was confirmed at this time. */
export function provedFactor(since: Instant | undefined): Pick<Identity, 'factor' | 'factorSince'> {
  return since === undefined ? {} : { factor: true, factorSince: since }
}

export type FoundParts = {
  /** Absent if no role requires a second factor. */
  readonly factorRoles?: FactorRoles | undefined
  /** Whether identities contain the time of the owner's last proof; see `createShowsProof`. */
  readonly showsProof?: boolean | undefined
}

/** Returns whether logins must record the last proof of identity, which only permissions with conditions and changes to passkeys need. */
export function createShowsProof(parts: {
  readonly permissions: Pick<Permissions, 'hasConditions'>
  /** Absent if passkeys are off. */
  readonly passkeyVerifier?: PasskeyVerifier | undefined
}): boolean {
  return parts.permissions.hasConditions || parts.passkeyVerifier !== undefined
}

type Active = {
  readonly session: Pick<Session, 'id' | 'endsAt' | 'actor' | 'factor'>
  readonly account: Pick<Account, 'secondFactor'>
  readonly actorFactor?: Instant | undefined
}

/**
 * Creates the function that returns the identity of a session found by a store. A frozen session, which a store may return many times,
 * always gets the same frozen identity. Identities contain the time of the last proof only if `showsProof` is `true`.
 */
export function createIdentityOfFound({
  factorRoles,
  showsProof,
}: FoundParts): (found: ActiveSession) => Identity {
  const identities = new WeakMap<ActiveSession, Identity>()
  const make = (found: ActiveSession): Identity => {
    const identity = identityOf(found, factorRoles)
    if (!showsProof) return identity
    const hasPassword = found.account.passwordHash !== undefined
    const hasFactor = found.account.secondFactor !== undefined
    return {
      ...{ ...identity, proved: proofOf(found.session) },
      ...{ ...(!hasPassword && { hasPassword }), ...(!hasFactor && { hasFactor }) },
    }
  }
  return (found) => {
    if (!Object.isFrozen(found)) return make(found)
    const known = identities.get(found)
    if (known) return known
    const identity = Object.freeze(make(found))
    identities.set(found, identity)
    return identity
  }
}

/** Returns whether logins of this epoch are valid for the account. */
export function isActive(account: Account | undefined, epoch: Epoch): account is Account {
  return account?.disabledAt === undefined && account?.epoch === epoch
}
