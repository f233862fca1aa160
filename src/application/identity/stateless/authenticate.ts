import { invalidToken } from '../../../domain/refusal.js'
import type { Clock } from '../../../ports/clock.js'
import type { Revocations } from '../../../ports/revocations.js'
import { notLoggedIn, type Authenticate } from '../authenticate.js'
import { unexpiredClaims } from '../check-access-token.js'
import { identityIn, isRevoked } from './carried-login.js'
import type { RefuseLapsedLogin } from './refuse-lapsed.js'

/**
 * `Authenticate` by the bearer token alone: it says who it is, with the roles that the account had
 * when it was issued. No store is asked, but for the revocations, where they are there; then an
 * impersonation is judged by the roles that both accounts have now.
 */
export function createStatelessAuthenticate(parts: {
  refuseLapsed: RefuseLapsedLogin
  clock: Clock
  revocations?: Revocations | undefined
}): Authenticate {
  const { revocations } = parts
  return async ({ accessToken, client }) => {
    const at = parts.clock()
    const claims = unexpiredClaims(accessToken, at)
    if (!claims) throw notLoggedIn()
    if (!revocations) return identityIn(claims)
    if (await isRevoked(revocations, claims, at)) throw invalidToken('the login was revoked')
    await parts.refuseLapsed(claims, client)
    return identityIn(claims)
  }
}
