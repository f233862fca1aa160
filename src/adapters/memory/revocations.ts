import {
  decideLoginRotation,
  type LoginPairs,
  type LoginRecord,
  type LoginRotation,
  type LoginRotationRequest,
} from '../../domain/identity/login-rotation.js'
import type { SessionId } from '../../domain/identity/session.js'
import type { Revocations } from '../../ports/revocations.js'
import type { SyncPort } from '../../ports/wrap-port.js'
import { createDeadlines } from './deadlines.js'
import type { State } from './state.js'

export function memoryRevocations({ accounts }: State): SyncPort<Revocations> {
  const logins = new Map<SessionId, LoginRecord>()
  const ends = createDeadlines<SessionId>()

  function put(sessionId: SessionId, login: LoginRecord): void {
    logins.set(sessionId, login)
    ends.set(sessionId, login.until)
  }

  function rotate(request: LoginRotationRequest): LoginRotation {
    const { sessionId, until } = request
    const rotation = decideLoginRotation(logins.get(sessionId), request)
    if (rotation.kind === 'rotated') put(sessionId, { until, pairs: rotation.pairs })
    if (rotation.kind === 'replayed') put(sessionId, { until })
    return 'pairs' in rotation ? { ...rotation, pairs: copyOf(rotation.pairs) } : rotation
  }

  return {
    isRevoked({ sessionId, accountId, epoch }, at) {
      const account = accounts.get(accountId)
      if (account?.disabledAt !== undefined || account?.epoch !== epoch) return true
      const login = logins.get(sessionId)
      return login !== undefined && !login.pairs && at < login.until
    },
    rotate,
    revoke(sessionId, until) {
      const login = logins.get(sessionId)
      if (login && !login.pairs && login.until >= until) return 'unchanged'
      put(sessionId, { until })
      return 'revoked'
    },
    purge(at, limit) {
      const over = ends.takeOver(at, limit)
      for (const sessionId of over) logins.delete(sessionId)
      return over.length
    },
  }
}

function copyOf({ current, previous }: LoginPairs): LoginPairs {
  return { current: { ...current }, previous: { ...previous } }
}
