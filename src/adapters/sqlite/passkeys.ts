import { PASSKEYS_MAX } from '../../domain/identity/passkey.js'
import type { Passkeys } from '../../ports/passkeys.js'
import { createStoredPasskeys } from '../sql/passkeys.js'
import { PASSKEY } from '../sql/records.js'
import type { Database } from './database.js'
import { statementsOf } from './statements.js'

/** Stores passkeys. */
export function createPasskeys(database: Database): Passkeys {
  const { prepare, write } = database
  const account = prepare('SELECT 1 FROM accounts WHERE id = ? AND epoch = ? AND disabled_at IS NULL')
  const count = prepare<readonly [number]>('SELECT count(*) FROM passkeys WHERE account_id = ?')
  const insert = prepare(
    `INSERT INTO passkeys (${PASSKEY.list}) VALUES (${PASSKEY.parameters}) ON CONFLICT DO NOTHING`,
  )
  const own = prepare('SELECT 1 FROM passkeys WHERE id = ? AND account_id = ?')
  const remove = prepare(
    `DELETE FROM passkeys WHERE id = ?1 AND account_id = ?2 AND (
       EXISTS (SELECT 1 FROM passkeys AS o WHERE o.account_id = ?2 AND o.id <> ?1)
       OR EXISTS (SELECT 1 FROM accounts WHERE id = ?2 AND password_hash IS NOT NULL)
     )`,
  )
  return {
    ...createStoredPasskeys(statementsOf(database)),
    add: (passkey, epoch) =>
      write(() => {
        if (!account.get(passkey.accountId, epoch)) return 'changed'
        if ((count.get(passkey.accountId)?.[0] ?? 0) >= PASSKEYS_MAX) return 'full'
        return insert.run(...PASSKEY.values(passkey)).changes === 1 ? 'added' : 'taken'
      }),
    remove: (accountId, id) =>
      write(() => {
        if (remove.run(id, accountId).changes === 1) return 'removed'
        return own.get(id, accountId) ? 'last-way' : 'unknown'
      }),
  }
}
