import { isFoundBy, type Session } from '../../domain/identity/session.js'
import type { Sessions } from '../../ports/sessions.js'
import { ACCOUNT_ACTIVE, ACTOR_ACTIVE, BEFORE_ALL, openPage } from '../sql/session-queries.js'
import { SESSION_COLUMNS, sessionOf, sessionValues, STORED_COLUMNS } from '../sql/session-rows.js'
import { createFindActive } from './active-session.js'
import { prepareRemoval } from './removal.js'
import { prepareRotation } from './rotation.js'
import type { PostgresStatements } from './statements.js'

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
