import {
  decideLoginRotation,
  type LoginPairs,
  type LoginRecord,
  type LoginRotation,
  type LoginRotationRequest,
} from '../../domain/identity/login-rotation.js'
import type { PairId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { Revocations } from '../../ports/revocations.js'
import type { Database } from './database.js'
import { upsert } from './record-table.js'
import { allOf, removeInSlices } from './slices.js'

/** What a row holds of a login beside its id; without pairs it is revoked. */
const PAIR_COLUMNS = ['pair_id', 'kid', 'issued_at', 'previous_pair_id', 'previous_until'] as const

export const LOGIN_COLUMNS = ['until', ...PAIR_COLUMNS]

export type LoginRow = readonly [
  until: Instant,
  ...pairs:
    | readonly [pairId: PairId, kid: string, issuedAt: Instant, previous: PairId, previousUntil: Instant]
    | readonly [pairId: null, kid: null, issuedAt: null, previous: null, previousUntil: null],
]

/** Gives a row where the login is good: its account lets it live and it is not revoked. */
const ACTIVE = `
  SELECT 1 FROM accounts
  WHERE id = ? AND epoch = ? AND disabled_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM revocations WHERE session_id = ? AND until > ? AND pair_id IS NULL)`

const FIND = `SELECT ${LOGIN_COLUMNS.join(', ')} FROM revocations WHERE session_id = ?`

export const PUT_LOGIN = upsert('revocations', ['session_id', ...LOGIN_COLUMNS], ['session_id'])

/** The later end counts of two revocations; pairs give way to either. */
const REVOKE = `
  INSERT INTO revocations (session_id, until) VALUES (?, ?)
  ON CONFLICT (session_id) DO UPDATE SET
    until = excluded.until, ${PAIR_COLUMNS.map((column) => `${column} = NULL`).join(', ')}
  WHERE until < excluded.until OR pair_id IS NOT NULL`

const PURGE = `
  DELETE FROM revocations WHERE session_id IN (
    SELECT session_id FROM revocations WHERE until <= ? ORDER BY until LIMIT ?
  )`

/** Logins of stateless mode that are revoked or were refreshed, a row each. */
export function createRevocations(database: Database): Revocations {
  const { prepare, read, write } = database
  const active = prepare(ACTIVE)
  const find = prepare<LoginRow>(FIND)
  const put = prepare(PUT_LOGIN)
  const revoke = prepare(REVOKE)
  const purge = prepare(PURGE)

  /** Inside a transaction that holds the write lock, so nothing comes between the read and the write. */
  function rotate(request: LoginRotationRequest): LoginRotation {
    const { sessionId, until } = request
    const row = find.get(sessionId)
    const rotation = decideLoginRotation(row && loginOf(row), request)
    if (rotation.kind === 'rotated') put.run(sessionId, ...loginValues({ until, pairs: rotation.pairs }))
    if (rotation.kind === 'replayed') revoke.run(sessionId, until)
    return rotation
  }

  return {
    isRevoked: ({ sessionId, accountId, epoch }, at) =>
      read(() => active.get(accountId, epoch, sessionId, at) === undefined),
    rotate: (request) => write(() => rotate(request)),
    revoke: (sessionId, until) =>
      write(() => (revoke.run(sessionId, until).changes === 1 ? 'revoked' : 'unchanged')),
    purge: (at, limit) => removeInSlices(database, limit, (slice) => allOf(purge.run(at, slice))),
  }
}

/** In the order of `LOGIN_COLUMNS`. */
export function loginValues({ until, pairs }: LoginRecord): LoginRow {
  if (!pairs) return [until, null, null, null, null, null]
  const { current, previous } = pairs
  return [until, current.pairId, current.kid, current.issuedAt, previous.pairId, previous.until]
}

export function loginOf([until, ...row]: LoginRow): LoginRecord {
  if (row[0] === null) return { until }
  const [pairId, kid, issuedAt, previousPairId, previousUntil] = row
  const pairs: LoginPairs = {
    current: { pairId, kid, issuedAt },
    previous: { pairId: previousPairId, until: previousUntil },
  }
  return { until, pairs }
}
