import { ANONYMOUS } from '../../../domain/access/caller.js'
import type { Claims } from '../../../domain/identity/claims.js'
import type { Instant } from '../../../domain/instant.js'
import type { Revocations } from '../../../ports/revocations.js'
import type { Authorize } from '../../access/authorize.js'
import type { CheckAccessToken } from '../check-access-token.js'
import type { Logout } from '../logout.js'
import { identityIn } from './authenticate.js'
import { TOKEN_LEEWAY } from '../token-signer.js'
import { carriedLogin } from './carried-login.js'

/**
 * `Logout` by the bearer token alone, an expired one too. It revokes the login where there are
 * revocations; else the tokens live on until they expire, and the client has to forget them.
 */
export function createStatelessLogout(parts: {
  checkAccessToken: CheckAccessToken
  authorize: Authorize
  revocations?: Revocations | undefined
}): Logout {
  return async ({ accessToken }) => {
    const claims = await parts.checkAccessToken(accessToken, { expired: 'accepted' })
    parts.authorize(claims ? identityIn(claims) : ANONYMOUS, 'auth', 'logout')
    if (claims) await parts.revocations?.revoke(claims.sessionId, lastMoment(claims))
  }
}

/** Until then a token of this login may pass for valid: none outlives the login, but for the leeway. */
function lastMoment(claims: Claims): Instant {
  return carriedLogin(claims).endsAt * 1000 + TOKEN_LEEWAY
}
