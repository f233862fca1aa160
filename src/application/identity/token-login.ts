import type { Identity } from '../../domain/access/caller.js'
import type { AccountId } from '../../domain/identity/account.js'
import type { CarriedLogin, ClaimedActor, Claims } from '../../domain/identity/claims.js'
import type { Actor } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { invalidToken } from '../../domain/refusal.js'
import type { Revocations } from '../../ports/sessions.js'
import type { SecondFactors } from '../../ports/second-factors.js'
import { provedFactor } from './identity-of.js'
import { TOKEN_LEEWAY } from './token-signer.js'

/** Returns the login that the claims contain. In stateless mode, the signer accepts no token without a login. */
export function tokenLogin({ login }: Claims): CarriedLogin {
  if (!login) throw invalidToken('the token does not contain a login')
  return login
}

const identities = new WeakMap<Claims, Identity>()

/** Returns the token bearer's identity; a cached token always gets the same frozen object. */
export function identityIn(claims: Claims): Identity {
  const known = identities.get(claims)
  if (known) return known
  const { email, roles, epoch, endsAt, factor, proved } = tokenLogin(claims)
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
    ...provedFactor(factor),
    ...(proved && { proved }),
    ...(actor && { actor }),
  })
  identities.set(claims, identity)
  return identity
}

export function actorIn({ actor }: Claims): Actor | undefined {
  if (!actor) return undefined
  const { accountId, email } = actor
  const { epoch, endsAt } = loginOfActor(actor)
  return { accountId, email, epoch, endsAt: endsAt * 1000 }
}

function loginOfActor({ login }: ClaimedActor): NonNullable<ClaimedActor['login']> {
  if (!login) throw invalidToken('the token does not contain the login of the actor')
  return login
}

/**
 * Resolves with `true` if the login, or all logins of its account, were revoked; otherwise with `false`. Does not check the account of an
 * actor.
 */
export async function isRevoked(revocations: Revocations, claims: Claims, at: Instant): Promise<boolean> {
  const { sessionId, subject: accountId } = claims
  return await revocations.isRevoked({ sessionId, accountId, epoch: tokenLogin(claims).epoch }, at)
}

/** Resolves with `true` if the login, all logins of its account, or all logins of its actor were revoked; otherwise with `false`. */
export async function hasEnded(revocations: Revocations, claims: Claims, at: Instant): Promise<boolean> {
  if (await isRevoked(revocations, claims, at)) return true
  const actor = actorIn(claims)
  if (!actor) return false
  const { accountId, epoch } = actor
  return await revocations.isRevoked({ sessionId: claims.sessionId, accountId, epoch }, at)
}

/** Returns the last moment at which a login's tokens can be valid: the login's end plus the leeway. */
export function lastMoment(endsAt: Instant): Instant {
  return endsAt + TOKEN_LEEWAY
}

/** The port for second factors; without it, no account has a second factor. */
export type CurrentFactorParts = { readonly secondFactors?: SecondFactors | undefined }

/**
 * Resolves with the time when the active second factor was confirmed, if this factor was verified at the login. Otherwise resolves with
 * `undefined`, even if the account now has a different factor.
 */
export async function currentFactor(
  { secondFactors }: CurrentFactorParts,
  id: AccountId,
  proved: Instant | undefined,
): Promise<Instant | undefined> {
  if (proved === undefined) return undefined
  const since = (await secondFactors?.find(id))?.activeSince
  return proved === since ? since : undefined
}
