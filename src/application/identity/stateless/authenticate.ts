import { invalidToken } from '../../../domain/refusal.js'
import type { Clock } from '../../../ports/clock.js'
import type { Revocations } from '../../../ports/revocations.js'
import { notLoggedIn, type Authenticate } from '../authenticate.js'
import type { CheckAccessToken } from '../check-access-token.js'
import { identityIn, isOver } from './carried-login.js'

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
    if (revocations && (await isOver(revocations, claims, parts.clock())))
      throw invalidToken('the login was revoked')
    return identityIn(claims)
  }
}
