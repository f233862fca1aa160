import type { SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { Revocations } from '../../ports/revocations.js'
import type { SyncPort } from '../../ports/wrap-port.js'
import { createDeadlines } from './deadlines.js'
import type { State } from './state.js'

export function memoryRevocations({ accounts }: State): SyncPort<Revocations> {
  const revoked = new Map<SessionId, Instant>()
  const ends = createDeadlines<SessionId>()

  return {
    isRevoked({ sessionId, accountId, epoch }, at) {
      const account = accounts.get(accountId)
      const active = account?.disabledAt === undefined && account?.epoch === epoch
      return !active || at < (revoked.get(sessionId) ?? at)
    },
    revoke(sessionId, until) {
      if ((revoked.get(sessionId) ?? -Infinity) >= until) return 'unchanged'
      revoked.set(sessionId, until)
      ends.set(sessionId, until)
      return 'revoked'
    },
    purge(at, limit) {
      const over = ends.takeOver(at, limit)
      for (const sessionId of over) revoked.delete(sessionId)
      return over.length
    },
  }
}
