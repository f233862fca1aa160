import type { Proof, ProofPurpose } from '../../domain/identity/proof.js'
import { defined } from '../../domain/plain-data.js'
import type { Proofs, ProofUse, ProvenAccount, ProvenInsertion } from '../../ports/proofs.js'
import { prepareChangeEmail, prepareInsert } from './accounts.js'
import type { Database } from './database.js'
import { createStoredProofs, VALID } from '../sql/proofs.js'
import { PROOF, upsert } from '../sql/records.js'
import { statementsOf } from './statements.js'

/** Stores proofs. The transaction that changes an account also consumes the proof. */
export function createProofs(database: Database): Proofs {
  const { prepare, write } = database
  const { list, read: proofOf } = PROOF
  const put = prepare(upsert('proofs', PROOF.columns, ['id']))
  const find = prepare(`SELECT ${list} FROM proofs WHERE digest = ?1 AND ${VALID}`)
  const remove = prepare('DELETE FROM proofs WHERE id = ?')
  const removeLater = prepare("DELETE FROM proofs WHERE account_id = ? AND purpose = 'undo-email' AND id > ?")
  const removeResets = prepare("DELETE FROM proofs WHERE account_id = ? AND purpose = 'reset-password'")
  const setPassword = prepare('UPDATE accounts SET password_hash = ?, epoch = epoch + 1 WHERE id = ?')
  const removeSessions = prepare('DELETE FROM sessions WHERE account_id = ?')
  const [create, changeEmail] = [prepareCreate(prepare), prepareEmailChange(prepare)]

  function take({ digest, at }: ProofUse, ...purposes: readonly ProofPurpose[]): Proof | undefined {
    const row = find.get(digest, at)
    const proof = row && proofOf(row)
    if (!proof || !purposes.includes(proof.purpose)) return undefined
    remove.run(proof.id)
    return proof
  }

  return {
    ...createStoredProofs(statementsOf(database)),
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
    resetPassword: (use, hash) =>
      write(() => {
        const id = take(use, 'reset-password')?.accountId
        if (id === undefined) return 'spent'
        setPassword.run(hash, id)
        removeSessions.run(id)
        removeResets.run(id)
        return id
      }),
  }
}

function prepareCreate(prepare: Database['prepare']) {
  const insert = prepareInsert(prepare)
  return (account: ProvenAccount['account'], { email, enteredEmail, roles = [] }: Proof): ProvenInsertion => {
    const outcome = insert({ ...account, email, ...defined({ enteredEmail }), roles })
    if (outcome.kind === 'duplicate-email') return { kind: 'email-taken' }
    if (outcome.kind === 'unknown-role') return outcome
    return { kind: 'created', id: outcome.id }
  }
}

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
