import type { Identity } from '../../../domain/access/caller.js'
import type { Permissions } from '../../../domain/access/permissions.js'
import type { Role } from '../../../domain/access/role.js'
import type { ActiveSession } from '../../../domain/identity/session.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { ClientContext } from '../../client-context.js'
import { countedRoles, identityOf, validFactor } from '../identity-of.js'
import type { GivenShared } from '../../shared-parts.js'

/**
 * Ends an impersonation and refuses the call with `invalid-token` if the actor has lost the permission `auth: login-as`, or if the other
 * account now has it. The end of the impersonation is audited once. Accepts all other sessions.
 */
export type RefuseLapsed = (active: ActiveSession, client: ClientContext | undefined) => Promise<void>

/** Creates `RefuseLapsed` for logins with sessions; stateless mode uses `createRefuseLapsedLogin`. */
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
export async function endLapsed(
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
