import { LOGIN } from './records.js'

/** Revokes a login and deletes its token pairs. If the login was already revoked, keeps the later end time. */
export const REVOKE = `
  INSERT INTO {revocations} AS r (session_id, until) VALUES (?, ?)
  ON CONFLICT (session_id) DO UPDATE SET
    until = excluded.until, ${LOGIN.columns
      .slice(2)
      .map((column) => `${column} = NULL`)
      .join(', ')}
  WHERE r.until < excluded.until OR r.pair_id IS NOT NULL`
