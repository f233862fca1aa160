import type { AccountId } from '../../domain/identity/account.js'
import type { SealedSecret, SecondFactor, TimeStep } from '../../domain/identity/second-factor.js'
import type { Instant } from '../../domain/instant.js'
import type { RecoveryRenewal, SecondFactorActivation, SecondFactors } from '../../ports/second-factors.js'
import type { Database } from './database.js'

const BEGIN = `
  INSERT INTO second_factors (account_id, sealed_secret, begun_at) SELECT id, ?, ? FROM accounts WHERE id = ?
  ON CONFLICT (account_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, begun_at = excluded.begun_at
    WHERE active_since IS NULL`

const ACTIVATE = `
  UPDATE second_factors SET active_since = ?, last_step = ?
  WHERE account_id = ? AND sealed_secret = ? AND active_since IS NULL`

const FIND = `
  SELECT sealed_secret, begun_at, active_since, last_step,
    (SELECT count(*) FROM recovery_codes AS r WHERE r.account_id = f.account_id)
  FROM second_factors AS f WHERE f.account_id = ?`

const TAKE_STEP = 'UPDATE second_factors SET last_step = ? WHERE account_id = ? AND last_step < ?'
const TAKE_RECOVERY = 'DELETE FROM recovery_codes WHERE account_id = ? AND digest = ?'
const KEEP_RECOVERY = 'INSERT INTO recovery_codes (account_id, digest) VALUES (?, ?) ON CONFLICT DO NOTHING'

type FactorRow = readonly [
  sealedSecret: SealedSecret,
  begunAt: Instant,
  activeSince: Instant | null,
  lastStep: TimeStep | null,
  recoveryLeft: number,
]

/** Those of the account, and those in which it acts: what was begun with a factor that is gone. */
const FORGET = [
  'UPDATE sessions SET factor = NULL WHERE account_id = ? AND actor_id IS NULL AND factor IS NOT NULL',
  'UPDATE sessions SET factor = NULL WHERE actor_id = ? AND factor IS NOT NULL',
] as const

/** Second factors, a row each; that one is active stands in the row of its account too, which is read anyway. */
export function createSecondFactors({ prepare, read, write }: Database): SecondFactors {
  const begin = prepare(BEGIN)
  const known = prepare('SELECT 1 FROM accounts WHERE id = ?')
  const activate = prepareActivation(prepare)
  const find = prepare<FactorRow>(FIND)
  const takeStep = prepare(TAKE_STEP)
  const takeRecovery = prepare(TAKE_RECOVERY)
  const renew = prepareRenewal(prepare)
  const reseal = prepare(
    'UPDATE second_factors SET sealed_secret = ? WHERE account_id = ? AND sealed_secret = ?',
  )
  const remove = prepare('DELETE FROM second_factors WHERE account_id = ?')
  const unmark = prepare('UPDATE accounts SET second_factor = NULL WHERE id = ?')
  const forget = FORGET.map((sql) => prepare(sql))

  return {
    begin: (id, { sealedSecret, at }) =>
      write(() => {
        if (begin.run(sealedSecret, at, id).changes === 1) return 'begun'
        return known.get(id) ? 'active' : 'unknown-account'
      }),
    activate: (id, activation) => write(() => (activate(id, activation) ? 'activated' : 'changed')),
    find: (id) => read(() => factorOf(find.get(id))),
    takeStep: (id, step) => write(() => (takeStep.run(step, id, step).changes === 1 ? 'taken' : 'spent')),
    takeRecovery: (id, digest) =>
      write(() => (takeRecovery.run(id, digest).changes === 1 ? 'taken' : 'unknown')),
    renewRecovery: (id, renewal) => write(() => (renew(id, renewal) ? 'renewed' : 'spent')),
    reseal: (id, before, next) =>
      write(() => (reseal.run(next, id, before).changes === 1 ? 'resealed' : 'changed')),
    remove: (id) =>
      write(() => {
        unmark.run(id)
        for (const statement of forget) statement.run(id)
        return remove.run(id).changes === 1 ? 'removed' : 'unknown'
      }),
  }
}

/** Inside a transaction, so that no reader sees an active factor without its recovery codes. */
function prepareActivation(prepare: Database['prepare']) {
  const activate = prepare(ACTIVATE)
  const mark = prepare('UPDATE accounts SET second_factor = 1 WHERE id = ?')
  const keep = prepare(KEEP_RECOVERY)
  return (id: AccountId, { sealedSecret, step, recovery, at }: SecondFactorActivation): boolean => {
    if (activate.run(at, step, id, sealedSecret).changes === 0) return false
    mark.run(id)
    for (const digest of recovery) keep.run(id, digest)
    return true
  }
}

/** Inside a transaction too: the code is used up and the codes are replaced, or neither. */
function prepareRenewal(prepare: Database['prepare']) {
  const [takeStep, takeRecovery, keep] = [prepare(TAKE_STEP), prepare(TAKE_RECOVERY), prepare(KEEP_RECOVERY)]
  const forget = prepare('DELETE FROM recovery_codes WHERE account_id = ?')
  return (id: AccountId, { proof, recovery }: RecoveryRenewal): boolean => {
    const taken =
      proof.kind === 'step' ? takeStep.run(proof.step, id, proof.step) : takeRecovery.run(id, proof.digest)
    if (taken.changes === 0) return false
    forget.run(id)
    for (const digest of recovery) keep.run(id, digest)
    return true
  }
}

function factorOf(row: FactorRow | undefined): SecondFactor | undefined {
  if (!row) return undefined
  const [sealedSecret, begunAt, activeSince, lastStep, recoveryLeft] = row
  return {
    sealedSecret,
    begunAt,
    ...(activeSince !== null && { activeSince }),
    ...(lastStep !== null && { lastStep }),
    recoveryLeft,
  }
}
