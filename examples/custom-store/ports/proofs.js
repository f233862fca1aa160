import { CODE_ATTEMPTS_MAX, RESET_PROOFS_MAX } from 'kennel-id/ports'
import { activeAccount, compare, takeOut } from '../state.js'
import { accountsOf } from './accounts.js'

/**
 * @typedef {import('../state.js').State['proofs'][number]} Row
 * @typedef {import('kennel-id/ports').ProofUse} ProofUse
 * @typedef {import('kennel-id/ports').ProofPurpose} ProofPurpose
 */

/**
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').Proofs>}
 */
export function proofsOf(state) {
  const { accounts, proofs } = state
  const { insert, changeEmail, setPassword } = accountsOf(state)
  const remove = (/** @type {string} */ wanted) => takeOut(proofs, ({ id }) => id === wanted, 1)
  const inOrder = (/** @type {(row: Row) => boolean} */ isMeant) =>
    proofs.filter(isMeant).sort((one, other) => compare(one.id, other.id))

  function put(/** @type {Row} */ proof) {
    remove(proof.id)
    proofs.push(proof)
  }

  /** Whether the account already has the maximum number of password-reset proofs that expire later than this proof. */
  function isSuperseded(/** @type {Row} */ { purpose, accountId, epoch, until, id }) {
    const isNewer = (/** @type {Row} */ one) => one.until > until || (one.until === until && one.id > id)
    const rivals = proofs.filter(
      (one) => one.purpose === purpose && one.accountId === accountId && one.epoch === epoch,
    )
    return purpose === 'reset-password' && rivals.filter(isNewer).length >= RESET_PROOFS_MAX
  }

  function isValid(/** @type {Row} */ proof, /** @type {number} */ at) {
    const { accountId, epoch, until } = proof
    if (isSuperseded(proof)) return false
    if (accountId === undefined || epoch === undefined) return at < until
    return at < until && activeAccount(state, { accountId, epoch }) !== undefined
  }

  const find = (/** @type {ProofUse} */ { digest, at }) =>
    proofs.find((proof) => proof.digest === digest && isValid(proof, at))

  /** Removes and returns the valid proof, or returns nothing if the proof is for another purpose. */
  function take(/** @type {ProofUse} */ use, /** @type {ProofPurpose[]} */ ...purposes) {
    const proof = find(use)
    if (!proof || !purposes.includes(proof.purpose)) return undefined
    remove(proof.id)
    return proof
  }

  /** @returns {'changed' | 'email-taken' | 'spent'} */
  function applyEmail(/** @type {Row | undefined} */ proof) {
    if (proof?.accountId === undefined) return 'spent'
    const { accountId: id, email, enteredEmail } = proof
    const outcome = changeEmail({ id, email, ...(enteredEmail !== undefined && { enteredEmail }) })
    return outcome === 'unknown' ? 'spent' : outcome
  }

  return {
    issue(proof) {
      if (proof.accountId === undefined || accounts.some(({ id }) => id === proof.accountId)) put(proof)
    },
    renew(renewal) {
      const before = proofs.find(({ id }) => id === renewal.id)
      if (!before) return undefined
      const proof = { ...before, ...renewal, attempts: 0 }
      if (renewal.codeHash === undefined) delete proof.codeHash
      put(proof)
      return proof
    },
    find,
    attempt(binding, at) {
      const proof = proofs.find((one) => one.binding === binding && isValid(one, at))
      if (!proof || proof.attempts >= CODE_ATTEMPTS_MAX) return undefined
      proof.attempts += 1
      return proof
    },
    consume: (use) => (take(use, 'login') ? 'consumed' : 'spent'),
    createAccount({ account, ...use }) {
      const proof = take(use, 'sign-up', 'invitation')
      if (!proof) return { kind: 'spent' }
      const { email, enteredEmail, roles = [] } = proof
      const entered = enteredEmail !== undefined && { enteredEmail }
      const outcome = insert({ ...account, email, ...entered, roles })
      if (outcome.kind === 'duplicate-email') return { kind: 'email-taken' }
      if (outcome.kind === 'unknown-role') {
        // The proof remains, because nothing was created.
        put(proof)
        return outcome
      }
      return { kind: 'created', id: outcome.id }
    },
    changeEmail(use, undo) {
      const outcome = applyEmail(take(use, 'change-email'))
      if (outcome === 'changed') put(undo)
      return outcome
    },
    undoEmail(use) {
      const proof = take(use, 'undo-email')
      if (!proof) return 'spent'
      const isLater = (/** @type {Row} */ { accountId, purpose, id }) =>
        accountId === proof.accountId && purpose === 'undo-email' && compare(id, proof.id) > 0
      takeOut(proofs, isLater, Infinity)
      return applyEmail(proof)
    },
    resetPassword(use, hash) {
      const id = take(use, 'reset-password')?.accountId
      if (id === undefined || setPassword(id, hash) === 'unknown') return 'spent'
      takeOut(proofs, (one) => one.accountId === id && one.purpose === 'reset-password', Infinity)
      return id
    },
    get: (id) => proofs.find((one) => one.id === id),
    page: (purpose, after, limit) =>
      inOrder((one) => one.purpose === purpose && (after === undefined || one.id > after)).slice(0, limit),
    listOf: (accountId) => inOrder((one) => one.accountId === accountId),
    remove: (id) => (remove(id) === 1 ? 'removed' : 'unknown'),
    purge: (at, limit) => takeOut(proofs, ({ until }) => until <= at, limit),
  }
}
