import type { Revocations } from '../../ports/revocations.js'
import type { Database } from './database.js'
import { allOf, removeInSlices } from './slices.js'

/** Gives a row where the login is good: its account lets it live and it is not revoked. */
const ACTIVE = `
  SELECT 1 FROM accounts
  WHERE id = ? AND epoch = ? AND disabled_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM revocations WHERE session_id = ? AND until > ?)`

const REVOKE = `
  INSERT INTO revocations (session_id, until) VALUES (?, ?)
  ON CONFLICT (session_id) DO UPDATE SET until = excluded.until WHERE until < excluded.until`

const PURGE = `
  DELETE FROM revocations WHERE session_id IN (
    SELECT session_id FROM revocations WHERE until <= ? ORDER BY until LIMIT ?
  )`

/** Revoked logins of stateless mode, a row each. */
export function createRevocations(database: Database): Revocations {
  const { prepare, read, write } = database
  const active = prepare(ACTIVE)
  const revoke = prepare(REVOKE)
  const purge = prepare(PURGE)
  return {
    isRevoked: ({ sessionId, accountId, epoch }, at) =>
      read(() => active.get(accountId, epoch, sessionId, at) === undefined),
    revoke: (sessionId, until) =>
      write(() => (revoke.run(sessionId, until).changes === 1 ? 'revoked' : 'unchanged')),
    purge: (at, limit) => removeInSlices(database, limit, (slice) => allOf(purge.run(at, slice))),
  }
}
