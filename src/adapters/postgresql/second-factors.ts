import type { SecondFactors } from '../../ports/second-factors.js'
import { SECOND_FACTOR } from '../sql/records.js'
import type { Value } from '../sql/statements.js'
import type { PostgresStatements } from './statements.js'

const ACTIVE_WITH_CODE = 'id = ?2 AND second_factor IS NOT NULL AND recovery @> to_jsonb(CAST(?1 AS text))'
const STEP_AFTER = 'last_step = ?1 WHERE id = ?2 AND last_step < ?1 AND second_factor = ?3'

/**
 * Stores the second factor in the account's row, so each change is one update. The column `second_factor` contains the time of activation.
 */
export function createSecondFactors({ read, write }: PostgresStatements): SecondFactors {
  const update = (changes: string) => {
    const statement = write(`UPDATE {accounts} SET ${changes}`)
    return async (...values: readonly Value[]) => (await statement.run(...values)) === 1
  }
  const known = read('SELECT 1 FROM {accounts} WHERE id = ?')
  const begin = update('sealed_secret = ?, begun_at = ? WHERE id = ? AND second_factor IS NULL')
  const activate = update(
    'second_factor = ?, last_step = ?, recovery = ? WHERE id = ? AND sealed_secret = ? AND second_factor IS NULL',
  )
  const find = read(
    `SELECT sealed_secret, begun_at, second_factor, last_step, jsonb_array_length(coalesce(recovery, '[]'))
     FROM {accounts} WHERE id = ? AND sealed_secret IS NOT NULL`,
  )
  const takeStep = update(STEP_AFTER)
  const takeRecovery = update(`recovery = recovery - CAST(?1 AS text) WHERE ${ACTIVE_WITH_CODE}`)
  const renewByStep = update(`recovery = ?4, ${STEP_AFTER}`)
  const renewByCode = update(`recovery = ?3 WHERE ${ACTIVE_WITH_CODE}`)
  const reseal = update('sealed_secret = ? WHERE id = ? AND sealed_secret = ?')
  const remove = update(
    `sealed_secret = NULL, begun_at = NULL, second_factor = NULL, last_step = NULL, recovery = NULL
     WHERE id = ? AND sealed_secret IS NOT NULL`,
  )

  return {
    begin: async (id, { sealedSecret, at }) => {
      if (await begin(sealedSecret, at, id)) return 'begun'
      return (await known.get(id)) ? 'active' : 'unknown-account'
    },
    activate: async (id, { sealedSecret, step, recovery, at }) =>
      (await activate(at, step, codesOf(recovery), id, sealedSecret)) ? 'activated' : 'changed',
    find: async (id) => {
      const row = await find.get(id)
      return row && SECOND_FACTOR.read(row)
    },
    takeStep: async (id, { step, since }) => ((await takeStep(step, id, since)) ? 'taken' : 'spent'),
    takeRecovery: async (id, digest) => ((await takeRecovery(digest, id)) ? 'taken' : 'unknown'),
    renewRecovery: async (id, { proof, recovery }) => {
      const codes = codesOf(recovery)
      const isRenewed =
        proof.kind === 'step'
          ? await renewByStep(proof.step, id, proof.since, codes)
          : await renewByCode(proof.digest, id, codes)
      return isRenewed ? 'renewed' : 'spent'
    },
    reseal: async (id, before, next) => ((await reseal(next, id, before)) ? 'resealed' : 'changed'),
    remove: async (id) => ((await remove(id)) ? 'removed' : 'unknown'),
  }
}

function codesOf(recovery: readonly string[]): string {
  return JSON.stringify([...new Set(recovery)].sort())
}
