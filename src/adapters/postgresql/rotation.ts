// Rotates sessions; concurrent refreshes share one statement.
import { decideRotation, type Rotation, type RotationRequest } from '../../domain/identity/rotation.js'
import type { PairId, Session } from '../../domain/identity/session.js'
import { isRefusal } from '../../domain/refusal.js'
import { batchCalls } from '../batch-calls.js'
import { ACCOUNT_ACTIVE, ACTOR_ACTIVE, generationValues, replaceGeneration } from '../sql/session-queries.js'
import { endOf, isOdd, sessionValues, STORED_COLUMNS } from '../sql/session-rows.js'
import type { FindActive } from './active-session.js'
import { asJson, inJson } from './rows.js'
import type { PostgresStatements } from './statements.js'

/** Replaces the stored session with `after` if its generation has not changed, and returns whether it was replaced. */
type Swap = (after: Session) => Promise<boolean>

/**
 * Applies `decideRotation` with one compare-and-swap; a caller that loses the race calls `decideRotation` again. Token pairs never repeat,
 * so the session is unchanged if it still has the same current pair.
 */
export function prepareRotation(statements: PostgresStatements, findActive: FindActive['byId']) {
  const swap = prepareSwap(statements)
  const swapBatched = prepareBatchedSwap(statements, swap)
  const endReplayed = statements.write('DELETE FROM {sessions} WHERE id = ? AND pair_id = ?')

  /** Returns false if the session has changed since it was read. */
  async function apply({ id, current }: Session, rotation: Rotation): Promise<boolean> {
    if (rotation.kind === 'replayed') return (await endReplayed.run(id, current.pairId)) === 1
    return rotation.kind !== 'rotated' || (await swap(rotation.session))
  }

  return async (request: RotationRequest): Promise<Rotation> => {
    const { found, sessionId, at } = request
    const usual = decideRotation(found, request)
    if (found?.id === sessionId && usual.kind === 'rotated' && (await swapBatched(usual.session)))
      return usual
    for (;;) {
      const before = (await findActive(sessionId, at))?.session
      const rotation = decideRotation(before, request)
      if (!before || (await apply(before, rotation))) return rotation
    }
  }
}

/** Waits for a concurrent change of the session. */
function prepareSwap({ write }: PostgresStatements): Swap {
  const [odd, even] = (['odd_digest', 'even_digest'] as const).map((digest) =>
    write(replaceGeneration(digest, ', purge_at = ?')),
  ) as [ReturnType<typeof write>, ReturnType<typeof write>]
  return async (after) => {
    const { id, current, previous } = after
    const values = [...generationValues(after), endOf(after), id, previous?.pairId ?? null]
    return (await (isOdd(current) ? odd : even).run(...values)) === 1
  }
}

/** The columns that a rotation changes. */
const CHANGED = [
  ...['number', 'pair_id', 'kid', 'issued_at', 'idle_ends_at', 'network', 'odd_digest', 'even_digest'],
  ...['previous_pair_id', 'previous_until', 'purge_at', 'factor', 'proved_at', 'factor_at'],
]

/** The columns that the JSON parameter contains. Sending all columns would cost a tenth of the server's time for a rotation. */
const SENT = STORED_COLUMNS.map((column, index) => ({ column, index })).filter(
  ({ column }) => column === 'id' || CHANGED.includes(column),
)

function jsonOf(sessions: readonly Session[]): string {
  const rows = sessions.map((session) => {
    const values = sessionValues(session)
    return SENT.map(({ index }) => values[index])
  })
  return asJson(
    SENT.map(({ column }) => column),
    rows,
  )
}

/**
 * Swaps the sessions in the first parameter, a JSON array, and returns the new token pairs. The second parameter is the number of sessions.
 * The statement skips sessions that another transaction has locked, so it never waits for a lock and cannot cause a deadlock. The limit
 * makes the server expect few sessions and find each by index; otherwise it would scan a table that was small when the statement was
 * planned.
 */
const SWAP_ALL = `
  UPDATE {sessions} AS stored SET ${CHANGED.map((column) => `${column} = after.${column}`).join(', ')}
  FROM (SELECT * FROM ${inJson('{sessions}')} LIMIT ?2) AS after CROSS JOIN LATERAL (
    SELECT s.id FROM {sessions} AS s
    WHERE s.id = after.id AND s.pair_id = after.previous_pair_id AND ${ACCOUNT_ACTIVE} AND ${ACTOR_ACTIVE}
    FOR UPDATE OF s SKIP LOCKED
  ) AS held
  WHERE stored.id = held.id
  RETURNING stored.pair_id`

/**
 * Swaps all sessions of one event loop turn in one statement, because a statement and its commit cost far more than a row. Also returns
 * false if another transaction has locked the session. If the server rejects the statement because of one session, each session is swapped
 * separately.
 */
function prepareBatchedSwap({ write }: PostgresStatements, swap: Swap): Swap {
  const swapAll = write<readonly [PairId]>(SWAP_ALL)
  const swapTogether = batchCalls(async (sessions: readonly Session[]): Promise<Swap> => {
    if (sessions.length === 1) return swap
    try {
      const pairs = await swapAll.all(jsonOf(sessions), sessions.length)
      const swapped = new Set(pairs.map(([pairId]) => pairId))
      return ({ current }) => Promise.resolve(swapped.has(current.pairId))
    } catch (error) {
      if (isRefusal(error)) throw error
      return swap
    }
  })
  return async (after) => await (await swapTogether(after))(after)
}
