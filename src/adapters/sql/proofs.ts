import { CODE_ATTEMPTS_MAX, RESET_PROOFS_MAX } from '../../domain/identity/proof.js'
import type { Proofs } from '../../ports/proofs.js'
import { PROOF, upsert } from './records.js'
import type { Row, Statements } from './statements.js'

/** SQL condition that excludes all but an account's newest `RESET_PROOFS_MAX` password-reset proofs. */
export const NOT_SUPERSEDED = `(proofs.purpose <> 'reset-password' OR ${RESET_PROOFS_MAX} > (
  SELECT count(*) FROM {proofs} AS o
  WHERE o.account_id = proofs.account_id AND o.purpose = 'reset-password' AND o.epoch = proofs.epoch
    AND (o.until, o.id) > (proofs.until, proofs.id)
))`

/** SQL condition that a proof is valid at the time `?2`. */
export const VALID = `until > ?2 AND (epoch IS NULL OR EXISTS (
  SELECT 1 FROM {accounts} AS a WHERE a.id = account_id AND a.epoch = proofs.epoch AND a.disabled_at IS NULL
)) AND ${NOT_SUPERSEDED}`

const ACCOUNT = `CAST(?${PROOF.columns.indexOf('account_id') + 1} AS bigint)`

/** Creates the `Proofs` methods that need only one statement. */
export function createStoredProofs({
  read,
  write,
  skipLocked,
  keyShare,
}: Statements): Omit<Proofs, 'createAccount' | 'changeEmail' | 'undoEmail' | 'resetPassword'> {
  const { list } = PROOF
  const put = write(
    upsert(
      '{proofs}',
      PROOF.columns,
      ['id'],
      `SELECT ${PROOF.parameters}
       WHERE ${ACCOUNT} IS NULL OR EXISTS (SELECT 1 FROM {accounts} WHERE id = ${ACCOUNT} ${keyShare})`,
    ),
  )
  const renew = write(
    `UPDATE {proofs} SET until = ?, digest = ?, code_hash = ?, attempts = 0, account_id =
       coalesce((SELECT id FROM {accounts} WHERE id = ? ${keyShare}), account_id), epoch = coalesce(?, epoch)
     WHERE id = ? RETURNING ${list}`,
  )
  const find = read(`SELECT ${list} FROM {proofs} WHERE digest = ?1 AND ${VALID}`)
  const attempt = write(
    `UPDATE {proofs} SET attempts = attempts + 1
     WHERE binding = ?1 AND attempts < ${CODE_ATTEMPTS_MAX} AND ${VALID} RETURNING ${list}`,
  )
  const consume = write(`DELETE FROM {proofs} WHERE digest = ?1 AND purpose = 'login' AND ${VALID}`)
  const get = read(`SELECT ${list} FROM {proofs} WHERE id = ?`)
  const page = read(`SELECT ${list} FROM {proofs} WHERE purpose = ? AND id > ? ORDER BY id LIMIT ?`)
  const listOf = read(`SELECT ${list} FROM {proofs} WHERE account_id = ? ORDER BY id`)
  const remove = write('DELETE FROM {proofs} WHERE id = ?')
  const purge = write(
    `DELETE FROM {proofs}
     WHERE id IN (SELECT id FROM {proofs} WHERE until <= ? ORDER BY until LIMIT ? ${skipLocked})`,
  )

  return {
    issue: async (proof) => {
      await put.run(...PROOF.values(proof))
    },
    renew: async ({ id, until, digest, codeHash = null, accountId = null, epoch = null }) =>
      proofOf(await renew.get(until, digest, codeHash, accountId, epoch, id)),
    find: async ({ digest, at }) => proofOf(await find.get(digest, at)),
    attempt: async (binding, at) => proofOf(await attempt.get(binding, at)),
    consume: async ({ digest, at }) => ((await consume.run(digest, at)) === 1 ? 'consumed' : 'spent'),
    get: async (id) => proofOf(await get.get(id)),
    page: async (purpose, after, limit) => (await page.all(purpose, after ?? '', limit)).map(PROOF.read),
    listOf: async (accountId) => (await listOf.all(accountId)).map(PROOF.read),
    remove: async (id) => ((await remove.run(id)) === 1 ? 'removed' : 'unknown'),
    purge: async (at, limit) => await purge.run(at, limit),
  }
}

function proofOf(row: Row | undefined) {
  return row && PROOF.read(row)
}
