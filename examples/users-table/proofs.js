import { CODE_ATTEMPTS_MAX, RESET_PROOFS_MAX } from 'kennel-id/ports'

/**
 * @typedef {import('kennel-id/ports').Accounts} Accounts
 * @typedef {import('kennel-id/ports').Proof} Proof
 * @typedef {import('kennel-id/ports').ProofPurpose} ProofPurpose
 * @typedef {import('kennel-id/ports').ProofUse} ProofUse
 * @typedef {import('./database.js').Statement<{ readonly proof: string }>} ProofStatement
 */

/**
 * Proofs of email addresses: password resets, sign-ups, invitations, logins by email and changes of email.
 *
 * @param {import('./database.js').Database} database
 * @param {import('./database.js').SyncPort<Pick<Accounts, 'find' | 'insert' | 'changeEmail' | 'setPassword'>>} accounts
 * @returns {import('./database.js').SyncPort<import('kennel-id/ports').Proofs>}
 */
export function proofsOf(database, { find: findAccount, insert, changeEmail, setPassword }) {
  const columns = 'id, purpose, account_id, epoch, until, binding, digest, proof'
  const put = database.prepare(
    `INSERT OR REPLACE INTO kennel_proofs (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const select = (/** @type {string} */ rest) =>
    /** @type {ProofStatement} */ (database.prepare(`SELECT proof FROM kennel_proofs ${rest}`))
  const byId = select('WHERE id = ?')
  const byDigest = select('WHERE digest = ?')
  const byBinding = select('WHERE binding = ?')
  const ofPurpose = select('WHERE purpose = ? AND id > ? ORDER BY id LIMIT ?')
  const ofAccount = select('WHERE account_id = ? ORDER BY id')
  const laterResets = select(`WHERE account_id = ? AND purpose = 'reset-password' AND epoch IS ?
    AND (until, id) > (?, ?)`)
  const remove = database.prepare('DELETE FROM kennel_proofs WHERE id = ?')
  const removeUndos = database.prepare(
    "DELETE FROM kennel_proofs WHERE account_id = ? AND purpose = 'undo-email' AND id > ?",
  )
  const removeResets = database.prepare(
    "DELETE FROM kennel_proofs WHERE account_id = ? AND purpose = 'reset-password'",
  )
  const purge = database.prepare(
    'DELETE FROM kennel_proofs WHERE id IN (SELECT id FROM kennel_proofs WHERE until <= ? ORDER BY until LIMIT ?)',
  )

  function save(/** @type {Proof} */ proof) {
    const { id, purpose, accountId = null, epoch = null, until, binding = null, digest = null } = proof
    put.run(id, purpose, accountId, epoch, until, binding, digest, JSON.stringify(proof))
    return proof
  }

  /** Whether the account already has the maximum number of password-reset proofs that expire later than this proof. */
  function isSuperseded(/** @type {Proof} */ { purpose, accountId, epoch, until, id }) {
    if (purpose !== 'reset-password') return false
    return laterResets.all(accountId, epoch ?? null, until, id).length >= RESET_PROOFS_MAX
  }

  function isValid(/** @type {Proof} */ proof, /** @type {number} */ at) {
    const { accountId, epoch, until } = proof
    if (at >= until || isSuperseded(proof)) return false
    if (accountId === undefined || epoch === undefined) return true
    const account = findAccount(accountId)
    return account?.epoch === epoch && account.disabledAt === undefined
  }

  function valid(/** @type {{ readonly proof: string } | undefined} */ row, /** @type {number} */ at) {
    const proof = proofIn(row)
    return proof && isValid(proof, at) ? proof : undefined
  }

  const find = (/** @type {ProofUse} */ { digest, at }) => valid(byDigest.get(digest), at)

  /** Removes and returns the valid proof, if it has one of these purposes. */
  function take(/** @type {ProofUse} */ use, /** @type {ProofPurpose[]} */ ...purposes) {
    const proof = find(use)
    if (!proof || !purposes.includes(proof.purpose)) return undefined
    remove.run(proof.id)
    return proof
  }

  /** @returns {'changed' | 'email-taken' | 'spent'} */
  function applyEmail(/** @type {Proof | undefined} */ proof) {
    if (proof?.accountId === undefined) return 'spent'
    const outcome = changeEmail({ id: proof.accountId, ...emailIn(proof) })
    return outcome === 'unknown' ? 'spent' : outcome
  }

  return {
    issue(proof) {
      if (proof.accountId === undefined || findAccount(proof.accountId)) save(proof)
    },
    renew(renewal) {
      const before = proofIn(byId.get(renewal.id))
      if (!before) return undefined
      const proof = { ...before, ...renewal, attempts: 0 }
      if (renewal.codeHash === undefined) delete proof.codeHash
      return save(proof)
    },
    find,
    attempt(binding, at) {
      const proof = valid(byBinding.get(binding), at)
      if (!proof || proof.attempts >= CODE_ATTEMPTS_MAX) return undefined
      return save({ ...proof, attempts: proof.attempts + 1 })
    },
    consume: (use) => (take(use, 'login') ? 'consumed' : 'spent'),
    createAccount({ account, ...use }) {
      const proof = take(use, 'sign-up', 'invitation')
      if (!proof) return { kind: 'spent' }
      const outcome = insert({ ...account, ...emailIn(proof), roles: proof.roles ?? [] })
      if (outcome.kind === 'duplicate-email') return { kind: 'email-taken' }
      if (outcome.kind === 'unknown-role') {
        // The proof remains, because no account was created.
        save(proof)
        return outcome
      }
      return { kind: 'created', id: outcome.id }
    },
    changeEmail(use, undo) {
      const outcome = applyEmail(take(use, 'change-email'))
      if (outcome === 'changed') save(undo)
      return outcome
    },
    undoEmail(use) {
      const proof = take(use, 'undo-email')
      if (proof?.accountId === undefined) return 'spent'
      removeUndos.run(proof.accountId, proof.id)
      return applyEmail(proof)
    },
    resetPassword(use, hash) {
      const id = take(use, 'reset-password')?.accountId
      if (id === undefined || setPassword(id, hash) === 'unknown') return 'spent'
      removeResets.run(id)
      return id
    },
    get: (id) => proofIn(byId.get(id)),
    page: (purpose, after, limit) => ofPurpose.all(purpose, after ?? '', limit).map(proofOf),
    listOf: (accountId) => ofAccount.all(accountId).map(proofOf),
    remove: (id) => (remove.run(id).changes > 0 ? 'removed' : 'unknown'),
    purge: (at, limit) => Number(purge.run(at, limit).changes),
  }
}

/** @returns {Proof} */
function proofOf(/** @type {{ readonly proof: string }} */ { proof }) {
  return JSON.parse(proof)
}

function proofIn(/** @type {{ readonly proof: string } | undefined} */ row) {
  return row && proofOf(row)
}

function emailIn(/** @type {Proof} */ { email, enteredEmail }) {
  return { email, ...(enteredEmail !== undefined && { enteredEmail }) }
}
