import type { Identity } from '../../../domain/access/caller.js'
import type { Account } from '../../../domain/identity/account.js'
import type { CarriedLogin, ClaimedActor, Claims } from '../../../domain/identity/claims.js'
import type { Actor } from '../../../domain/identity/session.js'
import type { Instant } from '../../../domain/instant.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { Revocations } from '../../../ports/revocations.js'
import { TOKEN_LEEWAY } from '../token-signer.js'

/** What the token carries; a signer of stateless mode verifies none that carries nothing. */
export function carriedLogin({ login }: Claims): CarriedLogin {
  if (!login) throw invalidToken('the token carries no login')
  return login
}

const identities = new WeakMap<Claims, Identity>()

/** Who the token says its bearer is; one frozen object for each token that is cached. */
export function identityIn(claims: Claims): Identity {
  const known = identities.get(claims)
  if (known) return known
  const { email, roles, epoch, endsAt, factor } = carriedLogin(claims)
  const { subject: accountId, sessionId } = claims
  const actor = actorIn(claims)
  const identity: Identity = Object.freeze({
    kind: 'account',
    accountId,
    email,
    roles,
    sessionId,
    epoch,
    endsAt: endsAt * 1000,
    ...(factor !== undefined && { factor: true as const, factorSince: factor }),
    ...(actor && { actor }),
  })
  identities.set(claims, identity)
  return identity
}

/** Who acts as the subject, where there is an actor. */
export function actorIn({ actor }: Claims): Actor | undefined {
  if (!actor) return undefined
  const { accountId, email } = actor
  const { epoch, endsAt } = loginOfActor(actor)
  return { accountId, email, epoch, endsAt: endsAt * 1000 }
}

function loginOfActor({ login }: ClaimedActor): NonNullable<ClaimedActor['login']> {
  if (!login) throw invalidToken("the token carries no login of the actor's")
  return login
}

/** True while the account lets logins of this epoch live. */
export function isActive(account: Account | undefined, epoch: number): account is Account {
  return account?.disabledAt === undefined && account?.epoch === epoch
}

/** True where the login is over before its token is, by itself or by its account; an actor's is not looked at. */
export async function isRevoked(revocations: Revocations, claims: Claims, at: Instant): Promise<boolean> {
  const { sessionId, subject: accountId } = claims
  return await revocations.isRevoked({ sessionId, accountId, epoch: carriedLogin(claims).epoch }, at)
}

/** True where the login is over before its token is, by itself or by the actor's account. */
export async function isOver(revocations: Revocations, claims: Claims, at: Instant): Promise<boolean> {
  if (await isRevoked(revocations, claims, at)) return true
  const actor = actorIn(claims)
  if (!actor) return false
  const { accountId, epoch } = actor
  return await revocations.isRevoked({ sessionId: claims.sessionId, accountId, epoch }, at)
}

/** Until then a token of a login with this end may pass for valid: none outlives it, but for the leeway. */
export function lastMoment(endsAt: Instant): Instant {
  return endsAt + TOKEN_LEEWAY
}
