import { isFoundBy, type Session, type PairId } from '../../domain/identity/session.js'
import type { Sessions } from '../../ports/sessions.js'
import {
  ACCOUNT_ACTIVE,
  ACTOR_ACTIVE,
  BEFORE_ALL,
  openPage,
  SESSION_COLUMNS,
  sessionOf,
  sessionValues,
  STORED_COLUMNS,
  generationValues,
  replaceGeneration,
  endOf,
  isOdd,
} from '../sql/sessions.js'
import { createFindActive, type FindActive } from './active-session.js'
import { prepareRemoval, type PostgresStatements, asJson, inJson } from './statements.js'
import { decideRotation, type Rotation, type RotationRequest } from '../../domain/identity/rotation.js'
import { isRefusal } from '../../domain/refusal.js'
import { batchCalls } from '../database-server.js'

/** Stores sessions. */
export function createSessions(statements: PostgresStatements): Sessions {
  const { read, write } = statements
  const findActive = createFindActive(statements)
  const open = prepareOpen(statements)
  const endTooMany = prepareEndTooMany(statements)
  const page = read(openPage({ join: 'JOIN', least: 'least' }, SESSION_COLUMNS))
  const end = write('DELETE FROM {sessions} WHERE id = ?')
  const endOne = write('DELETE FROM {sessions} WHERE id = ? AND account_id = ?')
  const endOthers = write<readonly [number]>(`
    WITH ended AS (
      DELETE FROM {sessions} AS s WHERE (s.account_id = ? OR s.actor_id = ?) AND s.id <> ?
      RETURNING least(s.ends_at, s.idle_ends_at) > ? AND ${ACCOUNT_ACTIVE} AND ${ACTOR_ACTIVE} AS active
    )
    SELECT count(*) FILTER (WHERE active) FROM ended`)
  // A session that is opened concurrently has the old epoch, so it is inactive even if this statement does not find it.
  const endAllOf = write<readonly [number]>(`
    WITH bumped AS (UPDATE {accounts} SET epoch = epoch + 1 WHERE id = ? RETURNING id, epoch),
    ended AS (
      DELETE FROM {sessions} AS s USING bumped WHERE s.account_id = bumped.id AND s.epoch < bumped.epoch
      RETURNING s.epoch = bumped.epoch - 1 AND ${ACTOR_ACTIVE} AS active
    )
    SELECT (SELECT count(*) FILTER (WHERE active) FROM ended) FROM bumped`)

  return {
    open: async (session) => {
      await open(session)
    },
    openWithLimit: async (session, max) => ((await open(session)) ? await endTooMany(session, max) : 0),
    find: async (keyDigest, at) => {
      const found = await findActive.byDigest(keyDigest, at)
      return found && isFoundBy(found.session, keyDigest, at) ? found : undefined
    },
    findById: findActive.byId,
    pageOf: async ({ accountId, after, limit, at }) => {
      const { createdAt, id } = after ?? BEFORE_ALL
      return (await page.all(accountId, createdAt, id, at, limit)).map(sessionOf)
    },
    rotate: prepareRotation(statements, findActive.byId),
    end: async (id) => ((await end.run(id)) === 1 ? 'ended' : 'unknown'),
    endOne: async (accountId, id) => ((await endOne.run(id, accountId)) === 1 ? 'ended' : 'unknown'),
    endOthers: async (accountId, keep, at) => (await endOthers.get(accountId, accountId, keep, at))?.[0] ?? 0,
    endAllOf: async (accountId) => (await endAllOf.get(accountId))?.[0],
    purge: prepareRemoval(statements, 'sessions', 'purge_at'),
  }
}

/** The lock prevents the account from being removed between the check and the commit, so that no session of a removed account remains. */
function prepareOpen({ write }: PostgresStatements): (session: Session) => Promise<boolean> {
  const open = write(`
    INSERT INTO {sessions} (${STORED_COLUMNS.join(', ')}) SELECT ${STORED_COLUMNS.map(() => '?').join(', ')}
    FROM (SELECT count(*) AS active FROM (
      SELECT 1 FROM {accounts}
      WHERE (id = ? AND epoch = ? OR id = ? AND epoch = ?) AND disabled_at IS NULL ORDER BY id FOR KEY SHARE
    ) AS locked) AS owners
    WHERE active = ?`)
  return async (session) => {
    const { accountId, epoch, actor = session } = session
    const owners = [accountId, epoch, actor.accountId, actor.epoch]
    const count = accountId === actor.accountId ? 1 : 2
    return (await open.run(...sessionValues(session), ...owners, count)) === 1
  }
}

/**
 * Ends the oldest sessions that exceed the limit, but keeps the opened session. This statement begins after the session was stored, so the
 * last of several concurrent calls sees all sessions. Each call locks the sessions in the same order and then counts only sessions that
 * still exist, so that concurrent calls do not end too many.
 */
function prepareEndTooMany({ write }: PostgresStatements) {
  const active = `
    FROM {accounts} AS a JOIN {sessions} AS s ON s.account_id = a.id
    WHERE a.id = ?1 AND a.disabled_at IS NULL AND a.epoch = s.epoch AND s.actor_id IS NULL
      AND least(s.ends_at, s.idle_ends_at) > ?2`
  const endTooMany = write(`
    WITH locked AS MATERIALIZED (
      SELECT s.id, s.created_at ${active} AND (SELECT count(*) ${active}) > ?3 ORDER BY s.id FOR UPDATE OF s
    )
    DELETE FROM {sessions} WHERE id IN (
      SELECT id FROM locked ORDER BY id = ?4 DESC, created_at DESC, id DESC OFFSET ?3
    )`)
  return ({ accountId, id, createdAt }: Session, max: number) => endTooMany.run(accountId, createdAt, max, id)
}

type Swap = (after: Session) => Promise<boolean>

/** Token pairs never repeat, so the session is unchanged if it still has the same current pair. */
function prepareRotation(statements: PostgresStatements, findActive: FindActive['byId']) {
  const swap = prepareSwap(statements)
  const swapBatched = prepareBatchedSwap(statements, swap)
  const endReplayed = statements.write('DELETE FROM {sessions} WHERE id = ? AND pair_id = ?')

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

const CHANGED = [
  ...['number', 'pair_id', 'kid', 'issued_at', 'idle_ends_at', 'network', 'odd_digest', 'even_digest'],
  ...['previous_pair_id', 'previous_until', 'purge_at', 'factor', 'proved_at', 'factor_at'],
]

/** The columns that the JSON parameter contains. Sending all columns would take 10 % of the server's time for a rotation. */
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
 * Updates the sessions in the first parameter, a JSON array, and returns the new token pairs. The second parameter is the number of
 * sessions. The statement skips sessions that another transaction has locked, so it never waits for a lock and cannot cause a deadlock. The
 * limit makes the server expect few sessions and find each by index; otherwise it would scan a table that was small when the statement was
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
 * false if another transaction has locked the session. If the server rejects the statement because of one session, each session gets a
 * separate statement.
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
