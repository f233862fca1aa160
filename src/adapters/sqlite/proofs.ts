import { CODE_ATTEMPTS_MAX, type Proof, type ProofPurpose } from '../../domain/identity/proof.js'
import type { Instant } from '../../domain/instant.js'
import { defined } from '../../domain/plain-data.js'
import type { Proofs, ProofUse, ProvenAccount, ProvenInsertion } from '../../ports/proofs.js'
import { prepareChangeEmail, prepareInsert } from './accounts.js'
import type { Database } from './database.js'
import type { Row } from '../sql/statements.js'
import { PROOF } from '../sql/records.js'
import { upsert } from '../sql/rows.js'

const VALID = `until > ?2 AND (epoch IS NULL OR EXISTS (
  SELECT 1 FROM accounts AS a WHERE a.id = account_id AND a.epoch = proofs.epoch AND a.disabled_at IS NULL
))`

/** Stores proofs. A proof is used up in the transaction that changes its account. */
export function createProofs({ prepare, read, write }: Database): Proofs {
  const { list, read: proofOf } = PROOF
  const put = prepare(upsert('proofs', PROOF.columns, ['id']))
  const isKnown = prepare('SELECT 1 FROM accounts WHERE id = ?')
  const renew = prepare(
    `UPDATE proofs SET until = ?, digest = ?, code_hash = ?, attempts = 0, account_id =
       coalesce((SELECT id FROM accounts WHERE id = ?), account_id), epoch = coalesce(?, epoch) WHERE id = ? RETURNING ${list}`,
  )
  const find = prepare(`SELECT ${list} FROM proofs WHERE digest = ?1 AND ${VALID}`)
  const attempt = prepare(
    `UPDATE proofs SET attempts = attempts + 1
     WHERE binding = ?1 AND attempts < ${CODE_ATTEMPTS_MAX} AND ${VALID} RETURNING ${list}`,
  )
  const get = prepare(`SELECT ${list} FROM proofs WHERE id = ?`)
  const remove = prepare('DELETE FROM proofs WHERE id = ?')
  const removeLater = prepare("DELETE FROM proofs WHERE account_id = ? AND purpose = 'undo-email' AND id > ?")
  const page = prepare(`SELECT ${list} FROM proofs WHERE purpose = ? AND id > ? ORDER BY id LIMIT ?`)
  const listOf = prepare(`SELECT ${list} FROM proofs WHERE account_id = ? ORDER BY id`)
  const purge = prepare(
    'DELETE FROM proofs WHERE id IN (SELECT id FROM proofs WHERE until <= ? ORDER BY until LIMIT ?)',
  )
  const [create, changeEmail] = [prepareCreate(prepare), prepareEmailChange(prepare)]

  function take({ digest, at }: ProofUse, ...purposes: readonly ProofPurpose[]): Proof | undefined {
    const proof = found(find.get(digest, at))
    if (!proof || !purposes.includes(proof.purpose)) return undefined
    remove.run(proof.id)
    return proof
  }

  return {
    issue: (proof) =>
      write(() => {
        if (proof.accountId === undefined || isKnown.get(proof.accountId)) put.run(...PROOF.values(proof))
      }),
    renew: ({ id, until, digest, ...more }) =>
      write(() => {
        const { codeHash = null, accountId = null, epoch = null } = more
        return found(renew.get(until, digest, codeHash, accountId, epoch, id))
      }),
    find: ({ digest, at }) => read(() => found(find.get(digest, at))),
    attempt: (binding, at) => write(() => found(attempt.get(binding, at))),
    consume: (use) => write(() => (take(use, 'login') ? 'consumed' : 'spent')),
    createAccount: ({ account, ...use }) =>
      write(() => {
        const proof = take(use, 'sign-up', 'invitation')
        if (!proof) return { kind: 'spent' }
        const outcome = create(account, proof)
        if (outcome.kind === 'unknown-role') put.run(...PROOF.values(proof))
        return outcome
      }),
    changeEmail: (use, undo) =>
      write(() => {
        const proof = take(use, 'change-email')
        const outcome = proof ? changeEmail(proof) : 'spent'
        if (outcome === 'changed') put.run(...PROOF.values(undo))
        return outcome
      }),
    undoEmail: (use) =>
      write(() => {
        const proof = take(use, 'undo-email')
        if (proof?.accountId === undefined) return 'spent'
        removeLater.run(proof.accountId, proof.id)
        return changeEmail(proof)
      }),
    get: (id) => read(() => found(get.get(id))),
    page: (purpose, after, limit) => read(() => page.all(purpose, after ?? '', limit).map(proofOf)),
    listOf: (accountId) => read(() => listOf.all(accountId).map(proofOf)),
    remove: (id) => write(() => (remove.run(id).changes === 1 ? 'removed' : 'unknown')),
    purge: (at: Instant, limit) => write(() => purge.run(at, limit).changes),
  }
}

function found(row: Row | undefined): Proof | undefined {
  return row && PROOF.read(row)
}

/** Inserts the account of a sign-up or an invitation. */
function prepareCreate(prepare: Database['prepare']) {
  const insert = prepareInsert(prepare)
  const disable = prepare('UPDATE accounts SET disabled_at = ? WHERE id = ?')
  const relist = prepare('UPDATE memberships SET disabled = 1 WHERE account_id = ?')
  return (
    { disabledAt, ...account }: ProvenAccount['account'],
    { email, enteredEmail, roles = [] }: Proof,
  ): ProvenInsertion => {
    const outcome = insert({ ...account, email, ...defined({ enteredEmail }), roles })
    if (outcome.kind === 'duplicate-email') return { kind: 'email-taken' }
    if (outcome.kind === 'unknown-role') return outcome
    if (disabledAt !== undefined) {
      disable.run(disabledAt, outcome.id)
      relist.run(outcome.id)
    }
    return { kind: 'created', id: outcome.id }
  }
}

/** Sets the email of the proof's account to the email in the proof, and ends the sessions of the account. */
function prepareEmailChange(prepare: Database['prepare']) {
  const change = prepareChangeEmail(prepare)
  const removeSessions = prepare('DELETE FROM sessions WHERE account_id = ?')
  return ({ accountId: id, email, enteredEmail }: Proof): 'changed' | 'email-taken' | 'spent' => {
    if (id === undefined) return 'spent'
    const outcome = change({ id, email, ...defined({ enteredEmail }) })
    if (outcome === 'changed') removeSessions.run(id)
    return outcome === 'unknown' ? 'spent' : outcome
  }
}
