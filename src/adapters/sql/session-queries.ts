// The SQL conditions and statements for sessions that SQLite and PostgreSQL share.
import type { Session } from '../../domain/identity/session.js'
import { proofValues } from './session-rows.js'
import type { Value } from './statements.js'

export const ACCOUNT_ACTIVE = `EXISTS (
      SELECT 1 FROM {accounts} AS a
      WHERE a.id = s.account_id AND a.disabled_at IS NULL AND a.epoch = s.epoch
    )`

/** SQL condition that the actor is still active; it costs little for a session without an actor. */
export const ACTOR_ACTIVE = `(s.actor_id IS NULL OR EXISTS (
      SELECT 1 FROM {accounts} AS b
      WHERE b.id = s.actor_id AND b.disabled_at IS NULL AND b.epoch = s.actor_epoch
    ))`

/** The parts of the queries that differ between databases; SQLite reads the tables of a CROSS JOIN in the given order. */
type Dialect = { readonly join: 'JOIN' | 'CROSS JOIN'; readonly least: 'least' | 'min' }

/** Selects the sessions that match the condition and have not been ended by a change to their account or their actor. */
export function openWhere(
  join: Dialect['join'],
  columns: string,
  condition: string,
  sessions = '{sessions}',
): string {
  return `
    SELECT ${columns}
    FROM ${sessions} AS s ${join} {accounts} AS a ON a.id = s.account_id
    WHERE ${condition} AND a.disabled_at IS NULL AND a.epoch = s.epoch AND ${ACTOR_ACTIVE}`
}

/** Selects a page of the active sessions of an account; a disabled account has no active sessions. */
export function openPage({ join, least }: Dialect, columns: string): string {
  return `
  SELECT ${columns}
  FROM {accounts} AS a ${join} {sessions} AS s ON s.account_id = a.id
  WHERE a.id = ? AND a.disabled_at IS NULL AND a.epoch = s.epoch
    AND (s.created_at, s.id) > (?, ?) AND ${least}(s.ends_at, s.idle_ends_at) > ?
    AND ${ACTOR_ACTIVE}
  ORDER BY s.created_at, s.id LIMIT ?`
}

/** The position before the first session of every account. */
export const BEFORE_ALL = { createdAt: Number.MIN_SAFE_INTEGER, id: '' }

/**
 * Changes nothing if the session is no longer active or its generation differs from the expected generation. The new digest replaces the
 * older of the two stored digests. `more` is SQL with further assignments.
 */
export function replaceGeneration(digest: 'odd_digest' | 'even_digest', more = ''): string {
  return `
    UPDATE {sessions} AS s SET
      number = ?, pair_id = ?, kid = ?, issued_at = ?, idle_ends_at = ?, network = ?, ${digest} = ?,
      factor = ?, proved_at = ?, factor_at = ?, previous_pair_id = pair_id, previous_until = ?${more}
    WHERE id = ? AND pair_id = ? AND ${ACCOUNT_ACTIVE} AND ${ACTOR_ACTIVE}`
}

/** The parameters of `replaceGeneration` for the session's new generation. */
export function generationValues(session: Session): readonly Value[] {
  const { current, previous } = session
  const { number, pairId, kid, issuedAt, idleEndsAt, network = null, keyDigest } = current
  const own = [number, pairId, kid, issuedAt, idleEndsAt, network, keyDigest]
  return [...own, ...proofValues(session), previous?.until ?? null]
}
