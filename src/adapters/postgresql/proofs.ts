import type { AccountId } from '../../domain/identity/account.js'
import type { ProofPurpose } from '../../domain/identity/proof.js'
import type { Proofs, ProofUse } from '../../ports/proofs.js'
import { createStoredProofs, NOT_SUPERSEDED, VALID } from '../sql/proofs.js'
import { PROOF, upsert } from '../sql/records.js'
import type { Value } from '../sql/statements.js'
import { insertionOf, type InsertionRow } from './accounts.js'
import { endingSessions, INSERTION, INSERTION_COLUMNS, type PostgresStatements } from './statements.js'

/** Stores proofs. The statement that changes an account also consumes the proof. */
export function createProofs(statements: PostgresStatements): Proofs {
  return {
    ...createStoredProofs(statements),
    createAccount: createAccount(statements),
    ...emailChanges(statements),
    resetPassword: resetPassword(statements),
  }
}

function createAccount({ write }: PostgresStatements): Proofs['createAccount'] {
  const create = write<readonly [proofs: number, ...InsertionRow]>(`
    WITH proof AS (
      SELECT id, email, entered_email, coalesce(roles, '[]') AS roles FROM {proofs}
      WHERE digest = ?1 AND purpose IN ('sign-up', 'invitation') AND ${VALID} FOR UPDATE
    ),
    new AS (
      SELECT email, entered_email, roles, CAST(?3 AS text) AS password_hash, CAST(?4 AS bigint) AS created_at,
        CAST(?5 AS bigint) AS disabled_at
      FROM proof
    ), ${INSERTION},
    used AS (
      DELETE FROM {proofs} AS p USING proof
      WHERE p.id = proof.id AND (EXISTS (SELECT 1 FROM taken) OR NOT EXISTS (SELECT 1 FROM missing))
    )
    SELECT (SELECT count(*) FROM proof), ${INSERTION_COLUMNS}`)
  return async ({ digest, at, account: { passwordHash = null, createdAt, disabledAt = null } }) => {
    const [proofs, ...row] = (await create.get(digest, at, passwordHash, createdAt, disabledAt)) ?? [0]
    if (proofs === 0) return { kind: 'spent' }
    const outcome = insertionOf(row as InsertionRow)
    if (outcome.kind === 'inserted') return { kind: 'created', id: outcome.id }
    return outcome.kind === 'duplicate-email' ? { kind: 'email-taken' } : outcome
  }
}

type Counts = readonly [stale: number, proofs: number, changes: number]

/**
 * Common table expressions that lock the account and then the proof. If another statement changed the epoch before the lock, this statement
 * may miss some of the account's proofs. In that case, `stale` has a row, and `proof` has none.
 */
function lockedProof(purpose: ProofPurpose): string {
  return `
    account AS (
      SELECT a.id, a.epoch, a.disabled_at FROM {accounts} AS a JOIN {proofs} AS p ON p.account_id = a.id
      WHERE p.digest = ?1 FOR UPDATE OF a
    ),
    stale AS (SELECT 1 FROM account JOIN {accounts} AS a ON a.id = account.id AND a.epoch <> account.epoch),
    proof AS (
      SELECT proofs.id, proofs.account_id, proofs.email, proofs.entered_email
      FROM {proofs} AS proofs JOIN account ON account.id = proofs.account_id
      WHERE proofs.digest = ?1 AND proofs.purpose = '${purpose}' AND proofs.until > ?2
        AND NOT EXISTS (SELECT 1 FROM stale) AND ${NOT_SUPERSEDED}
        AND (proofs.epoch IS NULL OR (proofs.epoch = account.epoch AND account.disabled_at IS NULL))
      FOR UPDATE OF proofs
    )`
}

/**
 * If `stale` has a row, the statement changes nothing, and the call is repeated. `?3` is 1 if an earlier attempt found that the email is
 * taken.
 */
function emailChange(purpose: ProofPurpose, used: string, more = ''): string {
  const change = endingSessions({
    set: 'email = proof.email, entered_email = proof.entered_email, shared_email = NULL',
    from: 'proof',
    where: 'a.id = proof.account_id AND CAST(?3 AS bigint) = 0 AND NOT EXISTS (SELECT 1 FROM taken)',
  })
  return `
    WITH ${lockedProof(purpose)},
    taken AS (
      SELECT 1 FROM proof JOIN {accounts} AS o
      ON (o.email = proof.email OR o.shared_email = proof.email) AND o.id <> proof.account_id
    ), ${change},
    used AS (DELETE FROM {proofs} AS p USING proof WHERE ${used}) ${more}
    SELECT (SELECT count(*) FROM stale), (SELECT count(*) FROM proof), (SELECT count(*) FROM changed)`
}

function emailChanges({ attempt }: PostgresStatements): Pick<Proofs, 'changeEmail' | 'undoEmail'> {
  const undo = PROOF.columns.map((_, index) => `?${index + 4}`).join(', ')
  const change = attempt<Counts>(
    emailChange(
      'change-email',
      'p.id = proof.id',
      `, undo AS (${upsert('{proofs}', PROOF.columns, ['id'], `SELECT ${undo} FROM changed`)})`,
    ),
  )
  const undoEmail = attempt<Counts>(
    emailChange(
      'undo-email',
      "p.account_id = proof.account_id AND p.purpose = 'undo-email' AND p.id >= proof.id",
    ),
  )

  async function run(statement: typeof change, { digest, at }: ProofUse, values: readonly Value[] = []) {
    let isTaken = 0
    for (;;) {
      const row = await statement.get(digest, at, isTaken, ...values)
      // No row means that the unique index has rejected the email, because another account has just taken it.
      if (!row) isTaken = 1
      else if (row[0] === 0) return row[1] === 0 ? 'spent' : row[2] === 1 ? 'changed' : 'email-taken'
    }
  }

  return {
    changeEmail: async (use, proof) => await run(change, use, PROOF.values(proof)),
    undoEmail: async (use) => await run(undoEmail, use),
  }
}

/** If `stale` has a row, the account's epoch has changed, so the proof is no longer valid. */
function resetPassword({ write }: PostgresStatements): Proofs['resetPassword'] {
  const reset = write<readonly [id: AccountId]>(`
    WITH ${lockedProof('reset-password')},
    ${endingSessions({ set: 'password_hash = ?3', from: 'proof', where: 'a.id = proof.account_id' })},
    used AS (DELETE FROM {proofs} AS p USING changed WHERE p.account_id = changed.id AND p.purpose = 'reset-password')
    SELECT id FROM changed`)
  return async ({ digest, at }, hash) => (await reset.get(digest, at, hash))?.[0] ?? 'spent'
}
