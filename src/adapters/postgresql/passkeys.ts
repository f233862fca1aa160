import { PASSKEYS_MAX } from '../../domain/identity/passkey.js'
import type { Passkeys } from '../../ports/passkeys.js'
import { createStoredPasskeys } from '../sql/passkeys.js'
import { PASSKEY } from '../sql/records.js'
import type { PostgresStatements } from './statements.js'

/** Stores passkeys. The lock on the account's row serializes concurrent callers. */
export function createPasskeys(statements: PostgresStatements): Passkeys {
  return {
    ...createStoredPasskeys(statements),
    add: add(statements),
    remove: remove(statements),
  }
}

/**
 * A statement does not see a passkey that another caller added while the statement waited for the lock. Therefore each addition also writes
 * the account's row, so that a waiting statement detects that it sees a stale row, and its call is repeated.
 */
function add({ write }: PostgresStatements): Passkeys['add'] {
  const { columns, list } = PASSKEY
  const parameter = (column: string) => `?${columns.indexOf(column) + 1}`
  const epoch = `?${columns.length + 1}`
  const insert = write<readonly [accounts: number, stale: number, full: number, added: number]>(`
    WITH account AS (
      SELECT id, xmin AS version FROM {accounts}
      WHERE id = ${parameter('account_id')} AND epoch = ${epoch} AND disabled_at IS NULL FOR NO KEY UPDATE
    ),
    stale AS (SELECT 1 FROM account JOIN {accounts} AS a ON a.id = account.id AND a.xmin <> account.version),
    at_maximum AS (
      SELECT 1 FROM account
      WHERE ${PASSKEYS_MAX} <= (SELECT count(*) FROM {passkeys} AS p WHERE p.account_id = account.id)
    ),
    added AS (
      INSERT INTO {passkeys} (${list}) SELECT ${columns.map(parameter).join(', ')} FROM account
      WHERE NOT EXISTS (SELECT 1 FROM stale) AND NOT EXISTS (SELECT 1 FROM at_maximum)
      ON CONFLICT (id) DO NOTHING RETURNING account_id
    ),
    rewritten AS (UPDATE {accounts} AS a SET epoch = a.epoch FROM added WHERE a.id = added.account_id)
    SELECT (SELECT count(*) FROM account), (SELECT count(*) FROM stale), (SELECT count(*) FROM at_maximum),
      (SELECT count(*) FROM added)`)
  return async (passkey, current) => {
    for (;;) {
      const [accounts, stale, full, added] = (await insert.get(...PASSKEY.values(passkey), current)) ?? [0]
      if (accounts === 0) return 'changed'
      if (stale === 0) return full === 1 ? 'full' : added === 1 ? 'added' : 'taken'
    }
  }
}

/** The locks on the passkeys make this statement see removals that were committed while the statement waited. */
function remove({ write }: PostgresStatements): Passkeys['remove'] {
  const removal = write<readonly [own: number, removed: number]>(`
    WITH account AS (SELECT id, password_hash FROM {accounts} WHERE id = ?1 FOR NO KEY UPDATE),
    own AS (
      SELECT p.id FROM {passkeys} AS p JOIN account ON account.id = p.account_id ORDER BY p.id FOR UPDATE OF p
    ),
    removed AS (
      DELETE FROM {passkeys} AS p USING own
      WHERE p.id = own.id AND own.id = ?2 AND (
        EXISTS (SELECT 1 FROM account WHERE password_hash IS NOT NULL) OR (SELECT count(*) FROM own) > 1
      )
      RETURNING p.id
    )
    SELECT (SELECT count(*) FROM own WHERE id = ?2), (SELECT count(*) FROM removed)`)
  return async (accountId, id) => {
    const [own, removed] = (await removal.get(accountId, id)) ?? [0, 0]
    if (removed === 1) return 'removed'
    return own === 1 ? 'last-way' : 'unknown'
  }
}
