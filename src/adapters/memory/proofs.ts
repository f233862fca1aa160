import type { SyncPort } from '../../application/wrap-port.js'
import {
  CODE_ATTEMPTS_MAX,
  type Proof,
  type ProofId,
  type ProofPurpose,
} from '../../domain/identity/proof.js'
import type { Instant } from '../../domain/instant.js'
import type { Proofs, ProofUse } from '../../ports/proofs.js'
import { rolesOfKeys, type State } from './state.js'
import type { memoryAccounts } from './accounts.js'

/** Proofs by mail in memory. */
export function memoryProofs(
  state: State,
  { insert, changeEmail }: Pick<ReturnType<typeof memoryAccounts>, 'insert' | 'changeEmail'>,
): SyncPort<Proofs> {
  const { accounts, proofs } = state
  const inOrder = () => [...proofs.values()].sort((one, other) => (one.id < other.id ? -1 : 1))

  function isValid({ accountId, epoch, until }: Proof, at: Instant): boolean {
    if (at >= until) return false
    const account = accountId === undefined ? undefined : accounts.get(accountId)
    if (accountId !== undefined && !account) return false
    return epoch === undefined || (account?.epoch === epoch && account.disabledAt === undefined)
  }

  const find = ({ digest, at }: ProofUse, ...purposes: readonly ProofPurpose[]) =>
    inOrder().find(
      (proof) =>
        proof.digest === digest &&
        isValid(proof, at) &&
        (purposes.length === 0 || purposes.includes(proof.purpose)),
    )

  /** Removes a valid proof of the purposes and returns it. */
  function take(use: ProofUse, ...purposes: readonly ProofPurpose[]): Proof | undefined {
    const proof = find(use, ...purposes)
    if (proof) proofs.delete(proof.id)
    return proof
  }

  /** Gives the account of the proof the email of the proof. */
  function applyEmail({ accountId, email, enteredEmail }: Proof) {
    if (accountId === undefined) return 'spent'
    const change = { id: accountId, email, ...(enteredEmail !== undefined && { enteredEmail }) }
    const outcome = changeEmail(change)
    return outcome === 'unknown' ? 'spent' : outcome
  }

  return {
    issue(proof) {
      if (proof.accountId === undefined || accounts.get(proof.accountId)) proofs.set(proof.id, proof)
    },
    renew(renewal) {
      const before = proofs.get(renewal.id)
      if (!before) return undefined
      const { codeHash: _, ...rest } = before
      const proof = { ...rest, ...renewal, attempts: 0 }
      proofs.set(proof.id, proof)
      return proof
    },
    find: (use) => find(use),
    attempt(binding, at) {
      const proof = inOrder().find((one) => one.binding === binding && isValid(one, at))
      if (!proof || proof.attempts >= CODE_ATTEMPTS_MAX) return undefined
      const counted = { ...proof, attempts: proof.attempts + 1 }
      proofs.set(proof.id, counted)
      return counted
    },
    consume: (use) => (take(use, 'login') ? 'consumed' : 'spent'),
    createAccount({ account: { disabledAt, ...account }, ...use }) {
      const proof = find(use, 'sign-up', 'invitation')
      if (!proof) return { kind: 'spent' }
      const { email, enteredEmail, roles = [] } = proof
      const known = rolesOfKeys(state, roles)
      if ('unknown' in known) return { kind: 'unknown-role', role: known.unknown }
      proofs.delete(proof.id)
      const wanted = { ...account, email, roles, ...(enteredEmail !== undefined && { enteredEmail }) }
      const inserted = insert(wanted)
      if (inserted.kind !== 'inserted') return { kind: 'email-taken' }
      const created = accounts.get(inserted.id)
      if (created && disabledAt !== undefined) accounts.replace(created.id, { ...created, disabledAt })
      return { kind: 'created', id: inserted.id }
    },
    changeEmail(use, undo) {
      const proof = take(use, 'change-email')
      const outcome = proof ? applyEmail(proof) : 'spent'
      if (outcome === 'changed') proofs.set(undo.id, undo)
      return outcome
    },
    undoEmail(use) {
      const proof = take(use, 'undo-email')
      if (!proof) return 'spent'
      const isLater = ({ accountId, purpose, id }: Proof) =>
        accountId === proof.accountId && purpose === 'undo-email' && id > proof.id
      for (const { id } of inOrder().filter(isLater)) proofs.delete(id)
      return applyEmail(proof)
    },
    page: (purpose, after, limit) =>
      inOrder()
        .filter((proof) => proof.purpose === purpose && (after === undefined || proof.id > after))
        .slice(0, limit),
    listOf: (accountId) => inOrder().filter((proof) => proof.accountId === accountId),
    remove: (id: ProofId) => (proofs.delete(id) ? 'removed' : 'unknown'),
    purge(at, limit) {
      const expired = inOrder()
        .filter(({ until }) => until <= at)
        .slice(0, limit)
      for (const { id } of expired) proofs.delete(id)
      return expired.length
    },
  }
}
