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
    if (await revocations?.isRevoked(loginOf(claims), parts.clock()))
      throw invalidToken('the login was revoked')
    return identityIn(claims)
  }
}

/** Who the token says its bearer is. */
export function identityIn(claims: Claims): Identity {
  const { email, roles } = carriedLogin(claims)
  return { kind: 'account', accountId: claims.subject, email, roles, sessionId: claims.sessionId }
}
