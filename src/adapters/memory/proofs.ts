import type { SyncPort } from '../../application/wrap-port.js'
import type { AccountId } from '../../domain/identity/account.js'
import {
  CODE_ATTEMPTS_MAX,
  RESET_PROOFS_MAX,
  type Proof,
  type ProofId,
  type ProofPurpose,
} from '../../domain/identity/proof.js'
import type { Instant } from '../../domain/instant.js'
import { defined } from '../../domain/plain-data.js'
import type { Proofs, ProofUse } from '../../ports/proofs.js'
import type { State } from './state.js'
import type { memoryAccounts } from './accounts.js'

/** Email proofs in memory. */
export function memoryProofs(
  state: State,
  {
    insert,
    changeEmail,
    setPassword,
  }: Pick<ReturnType<typeof memoryAccounts>, 'insert' | 'changeEmail' | 'setPassword'>,
): SyncPort<Proofs> {
  const { accounts, proofs } = state
  const inOrder = (isMeant: (proof: Proof) => boolean) =>
    [...proofs.values()].filter(isMeant).sort((one, other) => (one.id < other.id ? -1 : 1))

  const resetsOf = (id: AccountId | undefined) =>
    [...proofs.values()].filter(({ accountId, purpose }) => accountId === id && purpose === 'reset-password')

  function isSuperseded({ purpose, accountId, epoch, until, id }: Proof): boolean {
    if (purpose !== 'reset-password') return false
    const newer = resetsOf(accountId).filter(
      (one) => one.epoch === epoch && (one.until > until || (one.until === until && one.id > id)),
    )
    return newer.length >= RESET_PROOFS_MAX
  }

  function isValid(proof: Proof, at: Instant): boolean {
    const { accountId, epoch, until } = proof
    if (at >= until || isSuperseded(proof)) return false
    const account = accountId === undefined ? undefined : accounts.get(accountId)
    if (accountId !== undefined && !account) return false
    return epoch === undefined || (account?.epoch === epoch && account.disabledAt === undefined)
  }

  const find = ({ digest, at }: ProofUse) =>
    [...proofs.values()].find((proof) => proof.digest === digest && isValid(proof, at))

  function take(use: ProofUse, ...purposes: readonly ProofPurpose[]): Proof | undefined {
    const proof = find(use)
    if (!proof || !purposes.includes(proof.purpose)) return undefined
    proofs.delete(proof.id)
    return proof
  }

  function applyEmail({ accountId, email, enteredEmail }: Proof) {
    if (accountId === undefined) return 'spent'
    const outcome = changeEmail({ id: accountId, email, ...defined({ enteredEmail }) })
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
    find,
    attempt(binding, at) {
      const proof = [...proofs.values()].find((one) => one.binding === binding && isValid(one, at))
      if (!proof || proof.attempts >= CODE_ATTEMPTS_MAX) return undefined
      const counted = { ...proof, attempts: proof.attempts + 1 }
      proofs.set(proof.id, counted)
      return counted
    },
    consume: (use) => (take(use, 'login') ? 'consumed' : 'spent'),
    createAccount({ account, ...use }) {
      const proof = take(use, 'sign-up', 'invitation')
      if (!proof) return { kind: 'spent' }
      const { email, enteredEmail, roles = [] } = proof
      const outcome = insert({ ...account, email, ...defined({ enteredEmail }), roles })
      if (outcome.kind === 'duplicate-email') return { kind: 'email-taken' }
      if (outcome.kind === 'unknown-role') {
        proofs.set(proof.id, proof)
        return outcome
      }
      return { kind: 'created', id: outcome.id }
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
      for (const { id } of inOrder(isLater)) proofs.delete(id)
      return applyEmail(proof)
    },
    resetPassword(use, hash) {
      const id = take(use, 'reset-password')?.accountId
      if (id === undefined || setPassword(id, hash) === 'unknown') return 'spent'
      for (const other of resetsOf(id)) proofs.delete(other.id)
      return id
    },
    get: (id) => proofs.get(id),
    page: (purpose, after, limit) =>
      inOrder((one) => one.purpose === purpose && (after === undefined || one.id > after)).slice(0, limit),
    listOf: (accountId) => inOrder((one) => one.accountId === accountId),
    remove: (id: ProofId) => (proofs.delete(id) ? 'removed' : 'unknown'),
    purge(at, limit) {
      const expired = inOrder(({ until }) => until <= at).slice(0, limit)
      for (const { id } of expired) proofs.delete(id)
      return expired.length
    },
  }
}
