import { decideLoginRotation } from '../../domain/identity/rotation.js'
import type { Revocations } from '../../ports/sessions.js'
import type { Database } from './database.js'
import { LOGIN, upsert, REVOKE } from '../sql/records.js'
import { allOf, removeInSlices } from './transaction.js'

/** Stores revoked logins and the current token pairs of stateless mode. */
export function createRevocations(database: Database): Revocations {
  const { prepare, read, write } = database
  const active = prepare(
    `SELECT 1 FROM accounts
     WHERE id = ? AND epoch = ? AND disabled_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM revocations WHERE session_id = ? AND until > ? AND pair_id IS NULL)`,
  )
  const find = prepare(`SELECT ${LOGIN.list} FROM revocations WHERE session_id = ?`)
  const put = prepare(upsert('revocations', LOGIN.columns, ['session_id']))
  const revoke = prepare(REVOKE)
  const purge = prepare(
    `DELETE FROM revocations WHERE session_id IN (
       SELECT session_id FROM revocations WHERE until <= ? ORDER BY until LIMIT ?
     )`,
  )

  return {
    isRevoked: ({ sessionId, accountId, epoch }, at) =>
      read(() => active.get(accountId, epoch, sessionId, at) === undefined),
    rotate: (request) =>
      write(() => {
        const { sessionId, until } = request
        const row = find.get(sessionId)
        const rotation = decideLoginRotation(row && LOGIN.read(row), request)
        if (rotation.kind === 'rotated') put.run(...LOGIN.values({ sessionId, until, pairs: rotation.pairs }))
        if (rotation.kind === 'replayed') revoke.run(sessionId, until)
        return rotation
      }),
    revoke: (sessionId, until) =>
      write(() => (revoke.run(sessionId, until).changes === 1 ? 'revoked' : 'unchanged')),
    purge: (at, limit) => removeInSlices(database, limit, (slice) => allOf(purge.run(at, slice))),
  }
}
