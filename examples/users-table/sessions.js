import { decideRotation, isFoundBy, isPastEnd } from 'kennel-id/ports'
import { bumpEpoch } from './accounts.js'

/**
 * @typedef {import('kennel-id/ports').Session} Session
 * @typedef {{ readonly session: string }} SessionRow
 * @typedef {import('./database.js').Statement<SessionRow>} SessionStatement
 * @typedef {{ readonly accountId: import('kennel-id').AccountId, readonly epoch: number }} Login
 */

/**
 * Login sessions. The port calls the `find` of the accounts port to check whether a session is still active.
 *
 * @param {import('./database.js').Database} database
 * @param {import('./database.js').SyncPort<Pick<import('kennel-id/ports').Accounts, 'find'>>} accounts
 * @returns {import('./database.js').SyncPort<import('kennel-id/ports').Sessions>}
 */
export function sessionsOf(database, { find }) {
  const columns = 'account_id, key_digest, previous_digest, created_at, over_at, session'
  const put = database.prepare(
    `INSERT OR REPLACE INTO kennel_sessions (id, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  /** @type {SessionStatement} */
  const byId = database.prepare('SELECT session FROM kennel_sessions WHERE id = ?')
  /** @type {SessionStatement} */
  const byKey = database.prepare(
    'SELECT session FROM kennel_sessions WHERE key_digest = ? UNION ALL SELECT session FROM kennel_sessions WHERE previous_digest = ?',
  )
  /** @type {SessionStatement} */
  const ofAccount = database.prepare(
    'SELECT session FROM kennel_sessions WHERE account_id = ? ORDER BY created_at, id',
  )
  /** @type {SessionStatement} */
  const ofActor = database.prepare(
    "SELECT session FROM kennel_sessions WHERE json_extract(session, '$.actor.accountId') = ?",
  )
  const remove = database.prepare('DELETE FROM kennel_sessions WHERE id = ?')
  const removeOwn = database.prepare('DELETE FROM kennel_sessions WHERE id = ? AND account_id = ?')
  const purge = database.prepare(
    'DELETE FROM kennel_sessions WHERE id IN (SELECT id FROM kennel_sessions WHERE over_at <= ? ORDER BY over_at LIMIT ?)',
  )

  function save(/** @type {Session} */ session) {
    const { id, accountId, current, previous, createdAt, endsAt } = session
    const overAt = Math.min(endsAt, current.idleEndsAt)
    const digests = [current.keyDigest, previous?.keyDigest ?? null]
    put.run(id, accountId, ...digests, createdAt, overAt, JSON.stringify(session))
  }

  /** Returns the login's account, unless the account is disabled or its epoch has changed since the login began. */
  function ownerOf(/** @type {Login} */ { accountId, epoch }) {
    const account = find(accountId)
    return account && account.disabledAt === undefined && account.epoch === epoch ? account : undefined
  }

  /** Returns the session with its account if that account and the actor's account are active. */
  function usable(/** @type {SessionRow | undefined} */ row) {
    return row && withAccount(JSON.parse(row.session))
  }

  function withAccount(/** @type {Session} */ session) {
    const account = ownerOf(session)
    const actor = session.actor && ownerOf(session.actor)
    if (!account || (session.actor && !actor)) return undefined
    return actor ? { session, account, actorRoles: actor.roles } : { session, account }
  }

  /** Stores and ends no session if the account has been removed. */
  function open(/** @type {Session} */ session) {
    const isActive = withAccount(session) !== undefined
    if (isActive) save(session)
    return isActive
  }

  function active(/** @type {SessionRow | undefined} */ row, /** @type {number} */ at) {
    const found = usable(row)
    return found && !isPastEnd(found.session, at) ? found : undefined
  }

  const usableOf = (/** @type {readonly SessionRow[]} */ rows) =>
    rows.flatMap((row) => usable(row)?.session ?? [])
  const allOf = (/** @type {number} */ accountId) => usableOf(ofAccount.all(accountId))

  return {
    open: (session) => void open(session),
    openWithLimit(session, most) {
      if (!open(session)) return 0
      const { id, accountId, createdAt } = session
      const others = allOf(accountId).filter(
        (one) => one.id !== id && !one.actor && !isPastEnd(one, createdAt),
      )
      const tooMany = others.slice(0, Math.max(0, others.length + 1 - most))
      for (const one of tooMany) remove.run(one.id)
      return tooMany.length
    },
    find(keyDigest, at) {
      const found = active(byKey.get(keyDigest, keyDigest), at)
      return found && isFoundBy(found.session, keyDigest, at) ? found : undefined
    },
    findById: (id, at) => active(byId.get(id), at),
    pageOf: ({ accountId, after, limit, at }) =>
      allOf(accountId)
        .filter((session) => !isPastEnd(session, at) && (!after || isBehind(session, after)))
        .slice(0, limit),
    rotate(request) {
      const rotation = decideRotation(active(byId.get(request.sessionId), request.at)?.session, request)
      if (rotation.kind === 'rotated') save(rotation.session)
      // A reused refresh token means that two clients have the token, so the session ends.
      if (rotation.kind === 'replayed') remove.run(request.sessionId)
      return rotation
    },
    end(id) {
      const found = usable(byId.get(id))
      remove.run(id)
      return found ? 'ended' : 'unknown'
    },
    endOne: (accountId, id) => (removeOwn.run(id, accountId).changes > 0 ? 'ended' : 'unknown'),
    endOthers(accountId, keep, at) {
      const others = [...allOf(accountId), ...usableOf(ofActor.all(accountId))].filter(
        ({ id }) => id !== keep,
      )
      for (const { id } of others) remove.run(id)
      return others.filter((session) => !isPastEnd(session, at)).length
    },
    endAllOf(accountId) {
      const { length } = allOf(accountId)
      return bumpEpoch(database, accountId) ? length : undefined
    },
    purge: (at, limit) => Number(purge.run(at, limit).changes),
  }
}

/**
 * Whether the session comes later in page order: by time, then by ID.
 *
 * @param {Session} session
 * @param {import('kennel-id/ports').SessionPosition} position
 */
function isBehind(session, { createdAt, id }) {
  return session.createdAt > createdAt || (session.createdAt === createdAt && session.id > id)
}
