import { decideRotation, type Rotation, type RotationRequest } from '../../domain/identity/rotation.js'
import { isFoundBy, isPastEnd, type ActiveSession, type Session } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { Sessions } from '../../ports/sessions.js'
import type { Database } from './database.js'
import type { RowNames } from './row-changes.js'
import { removeInSlices, type Slice } from './transaction.js'
import {
  activeAsJson,
  activeOf,
  endOf,
  isOdd,
  SESSION_COLUMNS,
  sessionOf,
  sessionValues,
  STORED_COLUMNS,
  BEFORE_ALL,
  generationValues,
  openPage,
  openWhere,
  replaceGeneration as replaceIn,
} from '../sql/sessions.js'
import { rolesOf } from './statements.js'
import type { SyncPort } from '../../application/wrap-port.js'

const { own, withActor } = activeAsJson({
  jsonArray: 'json_array',
  accounts: 'accounts',
  rolesOf: (id) => `${rolesOf('memberships', 'account_id', id)} || ''`,
})
const ACTIVE = `CASE WHEN s.actor_id IS NULL THEN ${own} ELSE ${withActor} END`

function activeById(columns: string): string {
  return openWhere('CROSS JOIN', columns, 's.id = ? AND min(s.ends_at, s.idle_ends_at) > ?')
}

/** The statement does not compare the time, so that the result can be cached; `find` compares the time. */
const FIND = `
  ${openWhere('CROSS JOIN', ACTIVE, 's.odd_digest = ?')}
  UNION ALL
  ${openWhere('CROSS JOIN', ACTIVE, 's.even_digest = ?')}`

/** Cache size for about 9,000 sessions with their accounts. */
const CACHED_SESSION_BYTES = 11 * 1024 * 1024

/** Stores sessions; queries cache their results until another process changes the rows. */
export function createSessions(database: Database): Sessions {
  const { prepare, rowCaches, read, readCached, write } = database
  const open = prepareOpen(prepare)
  const find = prepare<readonly [json: string]>(FIND)
  const cachedSession = rowCaches.cache<ActiveSession | undefined>(CACHED_SESSION_BYTES, rowsOf)
  const findById = prepare<readonly [json: string]>(activeById(ACTIVE))
  const page = prepare(openPage({ join: 'CROSS JOIN', least: 'min' }, SESSION_COLUMNS))
  const current = prepare(activeById(SESSION_COLUMNS))
  const replaceGeneration = prepareReplacement(prepare)
  const ends = prepareSessionEnds(prepare)
  const purge = preparePurge(prepare)

  /** Returns `undefined` if the session has changed since the caller read it. */
  function rotateFound(request: RotationRequest): Rotation | undefined {
    const { found, sessionId } = request
    if (found?.id !== sessionId) return undefined
    const rotation = decideRotation(found, request)
    return rotation.kind === 'rotated' && replaceGeneration(found, rotation.session) ? rotation : undefined
  }

  return {
    open: (session) => write(() => void open(session)),
    openWithLimit: (session, most) => write(() => (open(session) ? ends.endTooMany(session, most) : 0)),
    find: (keyDigest, at) =>
      readCached(() => {
        const found = cachedSession(keyDigest, () => activeOf(find.get(keyDigest, keyDigest)))
        if (!found || isPastEnd(found.session, at)) return undefined
        return isFoundBy(found.session, keyDigest, at) ? found : undefined
      }),
    findById: (id, at) => read(() => activeOf(findById.get(id, at))),
    pageOf: ({ accountId, after, limit, at }) =>
      read(() => {
        const { createdAt, id } = after ?? BEFORE_ALL
        return page.all(accountId, createdAt, id, at, limit).map(sessionOf)
      }),
    rotate: (request) =>
      write(() => {
        const usual = rotateFound(request)
        if (usual) return usual
        const row = current.get(request.sessionId, request.at)
        const before = row && sessionOf(row)
        const rotation = decideRotation(before, request)
        if (rotation.kind === 'replayed') ends.end(request.sessionId)
        if (before && rotation.kind === 'rotated') replaceGeneration(before, rotation.session)
        return rotation
      }),
    end: (id) => write(() => ends.end(id)),
    endOne: (...session) => write(() => ends.endOne(...session)),
    endOthers: (...others) => write(() => ends.endOthers(...others)),
    endAllOf: (accountId) => write(() => ends.endAllOf(accountId)),
    purge: (at, limit, signal) => removeInSlices(database, limit, (slice) => purge(at, slice), signal),
  }
}

function rowsOf({ session: { id, accountId, actor } }: ActiveSession): RowNames {
  const own = [`session ${id}`, `account ${accountId}`]
  return actor ? [...own, `account ${actor.accountId}`] : own
}

/** Prepares the insert of a session. The transaction must hold the write lock, so that a later change that ends sessions finds the row. */
function prepareOpen(prepare: Database['prepare']): (session: Session) => boolean {
  const letsLive = prepare('SELECT 1 FROM accounts WHERE id = ? AND epoch = ? AND disabled_at IS NULL')
  const parameters = STORED_COLUMNS.map(() => '?').join(', ')
  const open = prepare(`INSERT INTO sessions (${STORED_COLUMNS.join(', ')}) VALUES (${parameters})`)
  return (session) => {
    const owners = session.actor ? [session, session.actor] : [session]
    if (!owners.every(({ accountId, epoch }) => letsLive.get(accountId, epoch))) return false
    return open.run(...sessionValues(session)).changes === 1
  }
}

/** Returns false and changes nothing if the session is no longer active or its generation differs from the generation of `before`. */
function prepareReplacement(prepare: Database['prepare']): (before: Session, after: Session) => boolean {
  const [odd, even] = [prepare(replaceIn('odd_digest')), prepare(replaceIn('even_digest'))]
  const purgeSooner = prepare('UPDATE sessions SET purge_at = min(purge_at, ?) WHERE id = ?')
  return (before, after) => {
    const replace = isOdd(after.current) ? odd : even
    const { changes } = replace.run(...generationValues(after), after.id, before.current.pairId)
    if (changes === 0) return false
    // The session ends earlier than before only if the configured token lifetimes have become shorter.
    if (endOf(after) < endOf(before)) purgeSooner.run(endOf(after), after.id)
    return true
  }
}

/** Examines the first `limit` due sessions: removes those that have ended, and sets the purge time of the others to their end time. */
function preparePurge(prepare: Database['prepare']) {
  const due = 'rowid IN (SELECT rowid FROM sessions WHERE purge_at <= ? ORDER BY purge_at LIMIT ?)'
  const postpone = prepare(
    `UPDATE sessions SET purge_at = min(ends_at, idle_ends_at) WHERE ${due} AND min(ends_at, idle_ends_at) > ?`,
  )
  const remove = prepare(`DELETE FROM sessions WHERE ${due}`)
  return (at: Instant, limit: number): Slice => {
    const postponed = postpone.run(at, limit, at).changes
    const gone = remove.run(at, limit - postponed).changes
    return { looked: postponed + gone, gone }
  }
}

/** Selects the oldest active sessions of the account that exceed the permitted number, excluding the new session and impersonations. */
const TOO_MANY = `
  SELECT s.rowid
  FROM accounts AS a CROSS JOIN sessions AS s ON s.account_id = a.id
  WHERE a.id = ? AND a.disabled_at IS NULL AND a.epoch = s.epoch AND s.actor_id IS NULL
    AND s.id <> ? AND min(s.ends_at, s.idle_ends_at) > ?
  ORDER BY s.created_at DESC, s.id DESC LIMIT -1 OFFSET ?`

type SessionEnds = Pick<SyncPort<Sessions>, 'end' | 'endOne' | 'endOthers' | 'endAllOf'> & {
  endTooMany(opened: Session, most: number): number
}

/** Prepares statements for a transaction that holds the write lock, so that they do not end sessions that are opened later. */
function prepareSessionEnds(prepare: Database['prepare']): SessionEnds {
  const end = prepare('DELETE FROM sessions WHERE id = ?')
  const endOne = prepare('DELETE FROM sessions WHERE id = ? AND account_id = ?')
  const removeTooMany = prepare(`DELETE FROM sessions WHERE rowid IN (${TOO_MANY})`)
  const others = ['s.account_id = ? AND s.id <> ?', 's.actor_id = ? AND s.id <> ?'].map((condition) => ({
    count: prepare<readonly [number]>(
      openWhere('CROSS JOIN', 'count(*)', `${condition} AND min(s.ends_at, s.idle_ends_at) > ?`),
    ),
    remove: prepare(`DELETE FROM sessions AS s WHERE ${condition}`),
  }))
  // The query checks that the sessions are active, because rows of ended sessions may still exist.
  const countOpen = prepare<readonly [number]>(openWhere('CROSS JOIN', 'count(*)', 's.account_id = ?'))
  const bumpEpoch = prepare('UPDATE accounts SET epoch = epoch + 1 WHERE id = ?')
  const removeAllOf = prepare('DELETE FROM sessions WHERE account_id = ?')
  return {
    end: (id) => (end.run(id).changes === 1 ? 'ended' : 'unknown'),
    endOne: (accountId, id) => (endOne.run(id, accountId).changes === 1 ? 'ended' : 'unknown'),
    endTooMany: ({ accountId, id, createdAt }, most) =>
      removeTooMany.run(accountId, id, createdAt, most - 1).changes,
    endOthers: (accountId, keep, at) =>
      others.reduce((sum, { count, remove }) => {
        const active = count.get(accountId, keep, at)?.[0] ?? 0
        remove.run(accountId, keep)
        return sum + active
      }, 0),
    endAllOf: (accountId) => {
      const ended = countOpen.get(accountId)?.[0] ?? 0
      if (bumpEpoch.run(accountId).changes === 0) return undefined
      removeAllOf.run(accountId)
      return ended
    },
  }
}
