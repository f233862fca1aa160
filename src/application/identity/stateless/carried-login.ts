import type { CarriedLogin, Claims } from '../../../domain/identity/claims.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { StatelessLogin } from '../../../ports/revocations.js'

/** What the token carries; a signer of stateless mode verifies none that carries nothing. */
export function carriedLogin({ login }: Claims): CarriedLogin {
  if (!login) throw invalidToken('the token carries no login')
  return login
}

export function loginOf(claims: Claims): StatelessLogin {
  return { sessionId: claims.sessionId, accountId: claims.subject, epoch: carriedLogin(claims).epoch }
}
