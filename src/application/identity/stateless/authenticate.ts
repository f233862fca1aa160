import type { Identity } from '../../../domain/access/caller.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { Clock } from '../../../ports/system.js'
import type { Revocations } from '../../../ports/revocations.js'
import { notLoggedIn, type Authenticate } from '../authenticate.js'
import { unexpiredClaims, type CheckAccessToken } from '../check-access-token.js'
import { withCheckedToken, type Presented } from '../presented.js'
import type { RefuseLapsedLogin } from './refuse-lapsed.js'
import { identityIn, isRevoked } from './token-login.js'

/**
 * Creates an `Authenticate` that needs only the bearer token: the identity has the roles that the account had when the token was issued. If
 * revocation is enabled, reads only the revocations from the store; for an impersonation, also reads the current roles of both accounts.
 */
export function createStatelessAuthenticate(parts: {
  checkAccessToken: CheckAccessToken
  refuseLapsed: RefuseLapsedLogin
  clock: Clock
  revocations?: Revocations | undefined
}): Authenticate {
  const { revocations } = parts
  return withCheckedToken<Presented, Identity>(async ({ accessToken, client }) => {
    const at = parts.clock()
    const claims = unexpiredClaims(accessToken, at)
    if (!claims) throw notLoggedIn()
    if (!revocations) return identityIn(claims)
    if (await isRevoked(revocations, claims, at)) throw invalidToken('the login was revoked')
    await parts.refuseLapsed(claims, client)
    return identityIn(claims)
  }, parts.checkAccessToken)
}
