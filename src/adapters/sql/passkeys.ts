import type { Passkeys } from '../../ports/passkeys.js'
import { PASSKEY } from './records.js'
import type { Statements } from './statements.js'

/** The `Passkeys` methods that are the same in all databases. */
export function createStoredPasskeys({ read, write }: Statements): Omit<Passkeys, 'add' | 'remove'> {
  const select = `SELECT ${PASSKEY.list} FROM {passkeys}`
  const find = read(`${select} WHERE id = ?`)
  const listOf = read(`${select} WHERE account_id = ? ORDER BY created_at, id`)
  const use = write(
    `UPDATE {passkeys} SET counter = ?1, backed_up = ?2, last_used_at = ?3
     WHERE id = ?4 AND (counter < ?1 OR (counter = 0 AND ?1 = 0))`,
  )
  const rename = write('UPDATE {passkeys} SET name = ? WHERE id = ? AND account_id = ?')

  return {
    find: async (id) => {
      const row = await find.get(id)
      return row && PASSKEY.read(row)
    },
    listOf: async (accountId) => (await listOf.all(accountId)).map(PASSKEY.read),
    use: async (id, { counter, backedUp, at }) => {
      if ((await use.run(counter, backedUp ? 1 : 0, at, id)) === 1) return 'used'
      return (await find.get(id)) ? 'rewound' : 'unknown'
    },
    rename: async (accountId, id, name) =>
      (await rename.run(name, id, accountId)) === 1 ? 'renamed' : 'unknown',
  }
}
