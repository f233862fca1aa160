import { refuse } from '../../../domain/refusal.js'
import type { Authenticate } from '../authenticate.js'
import type { LogoutAs } from './logout-as.js'

/**
 * `LoginAs` and `LogoutAs` where they cannot keep their promise: in stateless mode without
 * revocations the previous credentials would stay good. Refuses with `forbidden` a caller who is logged in.
 */
export function createRefusedImpersonation(parts: { authenticate: Authenticate }): LogoutAs {
  return async ({ presented }) => {
    await parts.authenticate(presented)
    const detail = 'stateless mode without STATELESS_REVOCATION=store'
    throw refuse('forbidden', 'Forbidden', 'Acting as somebody else is not possible here.', detail)
  }
}
