import type { SecondFactors } from '../../ports/second-factors.js'
import type { Database } from './database.js'
import { SECOND_FACTOR } from '../sql/records.js'

/** Stores second factors. The account row, which every login reads, also records whether a factor is active. */
export function createSecondFactors({ prepare, read, write }: Database): SecondFactors {
  const { begin, activate, find, reseal, remove, mark, unmark } = prepareFactors(prepare)
  const known = prepare('SELECT 1 FROM accounts WHERE id = ?')
  const takeStep = prepare(
    'UPDATE second_factors SET last_step = ?1 WHERE account_id = ?2 AND last_step < ?1 AND active_since = ?3',
  )
  const takeRecovery = prepare('DELETE FROM recovery_codes WHERE account_id = ? AND digest = ?')
  const keep = prepare('INSERT INTO recovery_codes (account_id, digest) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const forgetCodes = prepare('DELETE FROM recovery_codes WHERE account_id = ?')

  return {
    begin: (id, { sealedSecret, at }) =>
      write(() => {
        if (begin.run(sealedSecret, at, id).changes === 1) return 'begun'
        return known.get(id) ? 'active' : 'unknown-account'
      }),
    // Uses one transaction, so that no reader sees an active second factor without its recovery codes.
    activate: (id, { sealedSecret, step, recovery, at }) =>
      write(() => {
        if (activate.run(at, step, id, sealedSecret).changes === 0) return 'changed'
        mark.run(at, id)
        for (const digest of recovery) keep.run(id, digest)
        return 'activated'
      }),
    find: (id) =>
      read(() => {
        const row = find.get(id)
        return row && SECOND_FACTOR.read(row)
      }),
    takeStep: (id, { step, since }) =>
      write(() => (takeStep.run(step, id, since).changes === 1 ? 'taken' : 'spent')),
    takeRecovery: (id, digest) =>
      write(() => (takeRecovery.run(id, digest).changes === 1 ? 'taken' : 'unknown')),
    renewRecovery: (id, { proof, recovery }) =>
      write(() => {
        const isStep = proof.kind === 'step'
        const taken = isStep ? takeStep.run(proof.step, id, proof.since) : takeRecovery.run(id, proof.digest)
        if (taken.changes === 0) return 'spent'
        forgetCodes.run(id)
        for (const digest of recovery) keep.run(id, digest)
        return 'renewed'
      }),
    reseal: (id, before, next) =>
      write(() => (reseal.run(next, id, before).changes === 1 ? 'resealed' : 'changed')),
    remove: (id) =>
      write(() => {
        unmark.run(id)
        return remove.run(id).changes === 1 ? 'removed' : 'unknown'
      }),
  }
}

function prepareFactors(prepare: Database['prepare']) {
  return {
    begin: prepare(
      `INSERT INTO second_factors (account_id, sealed_secret, begun_at)
       SELECT id, ?, ? FROM accounts WHERE id = ?
       ON CONFLICT (account_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, begun_at = excluded.begun_at
         WHERE active_since IS NULL`,
    ),
    activate: prepare(
      `UPDATE second_factors SET active_since = ?, last_step = ?
       WHERE account_id = ? AND sealed_secret = ? AND active_since IS NULL`,
    ),
    find: prepare(
      `SELECT sealed_secret, begun_at, active_since, last_step,
         (SELECT count(*) FROM recovery_codes AS r WHERE r.account_id = f.account_id)
       FROM second_factors AS f WHERE f.account_id = ?`,
    ),
    reseal: prepare('UPDATE second_factors SET sealed_secret = ? WHERE account_id = ? AND sealed_secret = ?'),
    remove: prepare('DELETE FROM second_factors WHERE account_id = ?'),
    mark: prepare('UPDATE accounts SET second_factor = ? WHERE id = ?'),
    unmark: prepare('UPDATE accounts SET second_factor = NULL WHERE id = ?'),
  }
}
