import type { SyncPort } from '../../application/wrap-port.js'
import { decideLoginRotation, type LoginRecord } from '../../domain/identity/rotation.js'
import type { SessionId } from '../../domain/identity/session.js'
import type { Revocations } from '../../ports/sessions.js'
import { createDeadlines } from './collections.js'
import type { State } from './state.js'

/** Revoked logins and current token pairs of stateless mode, kept in memory. */
export function memoryRevocations({ accounts }: State): SyncPort<Revocations> {
  const logins = createDeadlines<SessionId, LoginRecord>()

  return {
    isRevoked({ sessionId, accountId, epoch }, at) {
      const account = accounts.get(accountId)
      if (account?.disabledAt !== undefined || account?.epoch !== epoch) return true
      const login = logins.get(sessionId)
      return login !== undefined && !login.pairs && at < login.until
    },
    rotate(request) {
      const { sessionId, until } = request
      const rotation = decideLoginRotation(logins.get(sessionId), request)
      if (rotation.kind === 'rotated') logins.set(sessionId, until, { until, pairs: rotation.pairs })
      if (rotation.kind === 'replayed') logins.set(sessionId, until, { until })
      return rotation
    },
    revoke(sessionId, until) {
      const login = logins.get(sessionId)
      if (login && !login.pairs && login.until >= until) return 'unchanged'
      logins.set(sessionId, until, { until })
      return 'revoked'
    },
    purge: (at, limit) => logins.takeOver(at, limit).length,
  }
}
