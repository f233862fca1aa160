import type { Identity } from '../../../domain/access/caller.js'
import type { Claims } from '../../../domain/identity/claims.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { Clock } from '../../../ports/clock.js'
import type { Revocations } from '../../../ports/revocations.js'
import { notLoggedIn, type Authenticate } from '../authenticate.js'
import type { CheckAccessToken } from '../check-access-token.js'
import { carriedLogin, loginOf } from './carried-login.js'

/**
 * `Authenticate` by the bearer token alone: it says who it is, with the roles that the account had
 * when it was issued. No store is asked, but for the revocations, where they are there.
 */
export function createStatelessAuthenticate(parts: {
  checkAccessToken: CheckAccessToken
  clock: Clock
  revocations?: Revocations | undefined
}): Authenticate {
  const { revocations } = parts
  return async ({ accessToken }) => {
    const claims = await parts.checkAccessToken(accessToken)
    if (!claims) throw notLoggedIn()
    const revoked = revocations && (await revocations.isRevoked(loginOf(claims), parts.clock()))
    if (revoked) throw invalidToken('the login was revoked')
    return identityIn(claims)
  }
}

const identities = new WeakMap<Claims, Identity>()

/** Who the token says its bearer is; one frozen object for each token that is remembered. */
export function identityIn(claims: Claims): Identity {
  const known = identities.get(claims)
  if (known) return known
  const { email, roles } = carriedLogin(claims)
  const { subject: accountId, sessionId } = claims
  const identity: Identity = Object.freeze({ kind: 'account', accountId, email, roles, sessionId })
  identities.set(claims, identity)
  return identity
}
