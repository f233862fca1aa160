import { decideRotation, type Rotation, type RotationRequest } from '../../domain/identity/rotation.js'
import { isFoundBy, isPastEnd, type ActiveSession, type Session } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { SessionPageRequest, Sessions } from '../../ports/sessions.js'
import type { Database } from './database.js'
import { ACTOR_ACTIVE, openWhere, prepareSessionEnds } from './session-ends.js'
import { removeInSlices, type Slice } from './slices.js'
import {
  ACTIVE,
  active,
  endOf,
  isOdd,
  parseRow,
  SESSION_COLUMNS,
  sessionOf,
  sessionValues,
  STORED_COLUMNS,
  type SessionRow,
} from './session-rows.js'

/** Of these, the one with this id that has not ended at the instant that comes second. */
function activeById(columns: string): string {
  return openWhere(columns, 's.id = ? AND min(s.ends_at, s.idle_ends_at) > ?')
}

/**
 * The second half is looked at only where the first gives nothing: `get` takes a single row. The
 * time is not in it, so that the answer can be cached; `find` judges it.
 */
const FIND = `
  ${openWhere(ACTIVE, 's.odd_digest = ?')}
  UNION ALL
  ${openWhere(ACTIVE, 's.even_digest = ?')}`

/** The account comes first: it is read once, and where it is disabled no session is. */
const PAGE = `
  SELECT ${SESSION_COLUMNS}
  FROM accounts AS a CROSS JOIN sessions AS s ON s.account_id = a.id
  WHERE a.id = ? AND a.disabled_at IS NULL AND a.epoch = s.epoch
    AND (s.created_at, s.id) > (?, ?) AND min(s.ends_at, s.idle_ends_at) > ?
    AND ${ACTOR_ACTIVE}
  ORDER BY s.created_at, s.id LIMIT ?`

/** Where the first page begins. */
const BEFORE_ALL = { createdAt: Number.MIN_SAFE_INTEGER, id: '' }

/** Of those that are in use right now; one is some 800 bytes. */
const CACHED_SESSIONS = 10_000

const OPEN = `
  INSERT INTO sessions (${STORED_COLUMNS.join(', ')}) VALUES (${STORED_COLUMNS.map(() => '?').join(', ')})`

/** Gives a row where the account lets sessions of this epoch be active. */
const LETS_LIVE = 'SELECT 1 FROM accounts WHERE id = ? AND epoch = ? AND disabled_at IS NULL'

/** The previous digest stays where it is; the one before it makes place for the new one. */
function replaceIn(digest: 'odd_digest' | 'even_digest'): string {
  return `
    UPDATE sessions SET
      number = ?, pair_id = ?, kid = ?, issued_at = ?, idle_ends_at = ?, network = ?, ${digest} = ?,
      previous_pair_id = pair_id, previous_until = ?
    WHERE id = ?`
}

/** Those whose turn it is, the first of them. */
const TO_PURGE = 'SELECT rowid FROM sessions WHERE purge_at <= ? ORDER BY purge_at LIMIT ?'

const POSTPONE = `
  UPDATE sessions SET purge_at = min(ends_at, idle_ends_at)
  WHERE rowid IN (${TO_PURGE}) AND min(ends_at, idle_ends_at) > ?`

const PURGE = `DELETE FROM sessions WHERE rowid IN (${TO_PURGE})`

/** Login sessions, one row each, which a refresh rewrites in place. */
export function createSessions(database: Database): Sessions {
  const { prepare, rowCaches, read, readCached, write } = database
  const open = prepareOpen(prepare)
  const find = prepare<readonly [json: string]>(FIND)
  const cachedSession = rowCaches.cache<ActiveSession | undefined>(CACHED_SESSIONS)
  const findById = prepare<readonly [json: string]>(activeById(ACTIVE))
  const page = prepare<SessionRow>(PAGE)
  const current = prepare<SessionRow>(activeById(SESSION_COLUMNS))
  const replaceGeneration = prepareReplacement(prepare)
  const ends = prepareSessionEnds(prepare)
  const purge = preparePurge(prepare)

  /** Inside a transaction that holds the write lock, so nothing comes between the read and the write. */
  function rotate(request: RotationRequest): Rotation {
    const row = current.get(request.sessionId, request.at)
    const before = row && sessionOf(row)
    const rotation = decideRotation(before, request)
    if (rotation.kind === 'replayed') ends.end(request.sessionId)
    if (before && rotation.kind === 'rotated') replaceGeneration(before, rotation.session)
    return rotation
  }

  function pageOf({ accountId, after, limit, at }: SessionPageRequest): readonly Session[] {
    const { createdAt, id } = after ?? BEFORE_ALL
    return page.all(accountId, createdAt, id, at, limit).map(sessionOf)
  }

  return {
    open: (session) =>
      write(() => {
        open(session)
      }),
    openWithLimit: (session, most) =>
      write(() => {
        return open(session) ? ends.endTooMany(session, most) : 0
      }),
    find: (keyDigest, at) =>
      readCached(() => {
        const found = cachedSession(keyDigest, () => active(parseRow(find.get(keyDigest, keyDigest)?.[0])))
        if (!found || isPastEnd(found.session, at)) return undefined
        return isFoundBy(found.session, keyDigest, at) ? found : undefined
      }),
    findById: (id, at) => read(() => active(parseRow(findById.get(id, at)?.[0]))),
    pageOf: (request) => read(() => pageOf(request)),
    rotate: (request) => write(() => rotate(request)),
    end: (id) => write(() => (ends.end(id) ? 'ended' : 'unknown')),
    endOne: (accountId, id) => write(() => (ends.endOne(id, accountId) ? 'ended' : 'unknown')),
    endOthers: (...others) => write(() => ends.endOthers(...others)),
    endAllOf: (accountId) => write(() => ends.endAllOf(accountId)),
    purge: (at, limit, signal) => removeInSlices(database, limit, (slice) => purge(at, slice), signal),
  }
}

/** Inside a transaction that holds the write lock: whatever ends the session after it finds its row. */
function prepareOpen(prepare: Database['prepare']): (session: Session) => boolean {
  const letsLive = prepare(LETS_LIVE)
  const open = prepare(OPEN)
  return (session) => {
    const owners = session.actor ? [session, session.actor] : [session]
    if (!owners.every(({ accountId, epoch }) => letsLive.get(accountId, epoch))) return false
    return open.run(...sessionValues(session)).changes === 1
  }
}

/** Inside a transaction that holds the write lock and has read `before`. */
function prepareReplacement(prepare: Database['prepare']): (before: Session, after: Session) => void {
  const odd = prepare(replaceIn('odd_digest'))
  const even = prepare(replaceIn('even_digest'))
  const purgeSooner = prepare('UPDATE sessions SET purge_at = min(purge_at, ?) WHERE id = ?')
  return (before, after) => {
    const { id, current, previous } = after
    const { number, pairId, kid, issuedAt, idleEndsAt, network = null, keyDigest } = current
    const generation = [number, pairId, kid, issuedAt, idleEndsAt, network, keyDigest]
    ;(isOdd(current) ? odd : even).run(...generation, previous?.until ?? null, id)
    // Only where tokens have come to be good for a shorter time.
    if (endOf(after) < endOf(before)) purgeSooner.run(endOf(after), id)
  }
}

/** Looks at the first `limit` whose turn it is: those that have ended go, and the others' turn comes when they will have. */
function preparePurge(prepare: Database['prepare']) {
  const postpone = prepare(POSTPONE)
  const remove = prepare(PURGE)
  return (at: Instant, limit: number): Slice => {
    const postponed = postpone.run(at, limit, at).changes
    const gone = remove.run(at, limit - postponed).changes
    return { looked: postponed + gone, gone }
  }
}
