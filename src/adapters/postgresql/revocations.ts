import {
  decideLoginRotation,
  pairsAfter,
  type LoginRotation,
  type LoginRotationRequest,
} from '../../domain/identity/rotation.js'
import type { SessionId } from '../../domain/identity/session.js'
import type { RecordOf } from '../../ports/copyable-records.js'
import type { Revocations } from '../../ports/sessions.js'
import { LOGIN, REVOKE } from '../sql/records.js'
import { prepareRemoval, type PostgresStatements } from './statements.js'

/** Stores revoked logins and the current token pairs of stateless mode. */
export function createRevocations(statements: PostgresStatements): Revocations {
  const isActive = statements.readPrimary<readonly [isInRecovery: number, isActive: number]>(`
    SELECT pg_is_in_recovery(),
      (SELECT count(*) FROM {accounts}
       WHERE id = ? AND epoch = ? AND disabled_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM {revocations} WHERE session_id = ? AND until > ? AND pair_id IS NULL))`)
  const revoke = statements.write(REVOKE)

  return {
    isRevoked: async ({ sessionId, accountId, epoch }, at) =>
      (await isActive.get(accountId, epoch, sessionId, at))?.[1] !== 1,
    rotate: prepareRotation(statements),
    revoke: async (sessionId, until) =>
      (await revoke.run(sessionId, until)) === 1 ? 'revoked' : 'unchanged',
    purge: prepareRemoval(statements, 'revocations', 'until'),
  }
}

/** Applies the outcome `rotated` of `decideLoginRotation` in one write. */
function prepareRotation({ readPrimary, write }: PostgresStatements) {
  const next = LOGIN.columns.slice(1).map((column) => `${column} = excluded.${column}`)
  const swap = write(
    `INSERT INTO {revocations} AS r (${LOGIN.list}) VALUES (${LOGIN.parameters})
     ON CONFLICT (session_id) DO UPDATE SET ${next.join(', ')} WHERE r.until <= ? OR r.pair_id = ?`,
  )
  const find = readPrimary(
    `SELECT pg_is_in_recovery(), ${LOGIN.list} FROM (SELECT) AS one LEFT JOIN {revocations} ON session_id = ?`,
  )
  const none = LOGIN.columns.slice(2).map((column) => `${column} = NULL`)
  const endReplayed = write(
    `UPDATE {revocations} SET until = ?, ${none.join(', ')} WHERE session_id = ? AND pair_id = ?`,
  )

  async function findLogin(sessionId: SessionId): Promise<RecordOf['revocation'] | undefined> {
    const [, ...row] = (await find.get(sessionId)) ?? [0, null]
    return row[0] === null ? undefined : LOGIN.read(row)
  }

  return async (request: LoginRotationRequest): Promise<LoginRotation> => {
    const { sessionId, from, at, until } = request
    const pairs = pairsAfter(request)
    const after = LOGIN.values({ sessionId, until, pairs })
    for (;;) {
      if ((await swap.run(...after, at, from)) === 1) return { kind: 'rotated', pairs }
      const stored = await findLogin(sessionId)
      const rotation = decideLoginRotation(stored, request)
      if (rotation.kind === 'superseded' || rotation.kind === 'revoked') return rotation
      const replayed = rotation.kind === 'replayed' ? stored?.pairs : undefined
      if (replayed && (await endReplayed.run(until, sessionId, replayed.current.pairId)) === 1)
        return rotation
    }
  }
}
