import type { Filter } from 'mongodb'
import type { Epoch } from '../../domain/identity/account.js'
import {
  CODE_ATTEMPTS_MAX,
  RESET_PROOFS_MAX,
  type Proof,
  type ProofPurpose,
} from '../../domain/identity/proof.js'
import type { Instant, Milliseconds } from '../../domain/instant.js'
import { defined } from '../../domain/plain-data.js'
import type { EmailChange } from '../../ports/accounts.js'
import type { Proofs, ProofUse } from '../../ports/proofs.js'
import { changeEmail, insertAccount } from './accounts.js'
import type { Database } from './database.js'
import { documentOf, type ProofDocument } from './documents.js'
import { bumpEpoch, ENABLED, exists, removeFirst, upserting } from './writes.js'
import { adoptResetTokens } from './earlier-releases.js'

/** After this time, which is much longer than any call, the claim of a killed process expires. */
const CLAIM: Milliseconds = 20_000

const unclaimedAt = (at: Instant): Filter<ProofDocument> => ({ claimedAt: { $not: { $gt: at - CLAIM } } })

/**
 * Stores proofs. No transaction covers both a proof and its account: a caller first claims the proof, so that neither another caller nor a
 * removal can take it, then changes the account, and finally deletes the proof.
 */
export function createProofs(database: Database): Proofs {
  const { proofs, accounts } = database

  async function isInForce({ accountId }: Proof | ProofDocument, epoch?: Epoch): Promise<boolean> {
    if (accountId === undefined) return true
    const same = epoch === undefined ? { _id: accountId } : { _id: accountId, epoch, ...ENABLED }
    return await exists(accounts, same)
  }

  async function find({ digest, at }: ProofUse): Promise<Proof | undefined> {
    const look = async () => await proofs.findOne({ digest, until: { $gt: at }, ...unclaimedAt(at) })
    const found = (await look()) ?? (await adoptResetTokens(database, digest).then(look))
    if (!found || (await isSuperseded(found))) return undefined
    return (await isInForce(found, found.epoch)) ? proofOf(found) : undefined
  }

  /** Returns whether the account has the maximum number of password-reset proofs that are newer than this proof. */
  async function isSuperseded({ purpose, accountId, epoch, until, _id }: ProofDocument): Promise<boolean> {
    if (purpose !== 'reset-password' || accountId === undefined || epoch === undefined) return false
    const newer = { $or: [{ until: { $gt: until } }, { until, _id: { $gt: _id } }] }
    // Without a hint, the server would try out indexes on the current data and cache the chosen plan.
    const options = { limit: RESET_PROOFS_MAX, hint: { accountId: 1, _id: 1 } }
    const count = await proofs.countDocuments({ accountId, purpose, epoch, ...newer }, options)
    return count === RESET_PROOFS_MAX
  }

  async function put(proof: Proof): Promise<void> {
    const { _id, ...replacement } = documentOf(proof)
    await upserting(() => proofs.replaceOne({ _id }, replacement, { upsert: true }))
  }

  async function claim({ digest, at }: ProofUse, ...purposes: readonly ProofPurpose[]) {
    const valid = { digest, purpose: { $in: [...purposes] }, until: { $gt: at }, ...unclaimedAt(at) }
    return await proofs.findOneAndUpdate(valid, { $set: { claimedAt: at } })
  }

  return {
    async issue(proof) {
      await put(proof)
      // Checks the account after storing the proof, because the removal of an account deletes the account before the proofs.
      if (!(await isInForce(proof))) await proofs.deleteOne({ _id: proof.id })
    },
    async renew({ id, codeHash, ...renewal }) {
      const change = {
        $set: { ...renewal, attempts: 0, ...(codeHash !== undefined && { codeHash }) },
        ...(codeHash === undefined && { $unset: { codeHash: true as const } }),
      }
      const unclaimed = { _id: id, claimedAt: { $exists: false } }
      const renewed = await proofs.findOneAndUpdate(unclaimed, change, { returnDocument: 'after' })
      return renewed ? proofOf(renewed) : undefined
    },
    find,
    async attempt(binding, at) {
      const open = { binding, until: { $gt: at }, attempts: { $lt: CODE_ATTEMPTS_MAX }, ...unclaimedAt(at) }
      const count = { $inc: { attempts: 1 } }
      const counted = await proofs.findOneAndUpdate(open, count, { returnDocument: 'after' })
      return counted && (await isInForce(counted, counted.epoch)) ? proofOf(counted) : undefined
    },
    async consume(use) {
      const proof = await find(use)
      if (proof?.purpose !== 'login') return 'spent'
      const { deletedCount } = await proofs.deleteOne({ _id: proof.id, digest: use.digest })
      return deletedCount === 1 ? 'consumed' : 'spent'
    },
    async createAccount({ account, ...use }) {
      const proof = await claim(use, 'sign-up', 'invitation')
      if (!proof) return { kind: 'spent' }
      const { _id, email, enteredEmail, roles = [] } = proof
      const forms = { email, ...defined({ enteredEmail }) }
      const inserted = await insertAccount(database, { ...account, ...forms, roles })
      if (inserted.kind === 'unknown-role') {
        await proofs.updateOne({ _id }, { $unset: { claimedAt: true } })
        return inserted
      }
      await proofs.deleteOne({ _id })
      return inserted.kind === 'inserted' ? { kind: 'created', id: inserted.id } : { kind: 'email-taken' }
    },
    async changeEmail(use, undo) {
      const proof = await claim(use, 'change-email')
      const change = proof && emailChange(proof)
      if (!change) return 'spent'
      // `undo` can be stored before the email changes, because no client has its secret yet.
      await put(undo)
      const only = proof.epoch === undefined ? {} : { epoch: proof.epoch, ...ENABLED }
      const outcome = await changeEmail(database, change, only)
      if (outcome !== 'changed') await proofs.deleteOne({ _id: undo.id })
      await proofs.deleteOne({ _id: proof._id })
      return outcome === 'unknown' ? 'spent' : outcome
    },
    async undoEmail(use) {
      const proof = await claim(use, 'undo-email')
      const change = proof && emailChange(proof)
      if (!change) return 'spent'
      const own = { accountId: change.id, purpose: 'undo-email' as const }
      const removeLater = async () => await proofs.deleteMany({ ...own, _id: { $gt: proof._id } })
      await removeLater()
      let outcome: Awaited<ReturnType<typeof changeEmail>>
      do {
        const account = await accounts.findOne({ _id: change.id }, { projection: { epoch: 1 } })
        // Reads the proof after the epoch, because a concurrent undo of an earlier change removes this proof before incrementing the epoch.
        if (!account || !(await exists(proofs, { _id: proof._id }))) return 'spent'
        outcome = await changeEmail(database, change, { epoch: account.epoch })
      } while (outcome === 'unknown')
      // Removes later proofs again, because a later change may have stored a proof before `changeEmail` incremented the epoch.
      await removeLater()
      await proofs.deleteOne({ _id: proof._id })
      return outcome
    },
    async resetPassword(use, hash) {
      const proof = (await find(use)) && (await claim(use, 'reset-password'))
      if (proof?.accountId === undefined) return 'spent'
      const { accountId, epoch } = proof
      const same = epoch === undefined ? { _id: accountId } : { _id: accountId, epoch, ...ENABLED }
      const change = { $set: { passwordHash: hash }, $unset: { resets: true } } as const
      const reset = await bumpEpoch(database, same, change)
      const earlier = reset && { epoch: { $not: { $gte: reset.epoch } } }
      const { _id, purpose } = proof
      await proofs.deleteMany(earlier ? { accountId, purpose, ...earlier } : { _id })
      return reset ? accountId : 'spent'
    },
    async get(id) {
      const found = await proofs.findOne({ _id: id })
      return found ? proofOf(found) : undefined
    },
    async page(purpose, after, limit) {
      const rest = { purpose, ...(after !== undefined && { _id: { $gt: after } }) }
      return (await proofs.find(rest, { sort: { _id: 1 }, limit }).toArray()).map(proofOf)
    },
    listOf: async (accountId) =>
      (await proofs.find({ accountId }, { sort: { _id: 1 } }).toArray()).map(proofOf),
    async remove(id, at) {
      const { deletedCount } = await proofs.deleteOne({ _id: id, ...unclaimedAt(at) })
      return deletedCount === 1 ? 'removed' : 'unknown'
    },
    purge: async (at, limit) =>
      await removeFirst(proofs, { until: { $lte: at } }, { sort: { until: 1 }, limit }),
  }
}

export function proofOf({ _id, claimedAt: _, ...rest }: ProofDocument): Proof {
  return { id: _id, ...rest }
}

function emailChange({ accountId: id, email, enteredEmail }: ProofDocument): EmailChange | undefined {
  return id === undefined ? undefined : { id, email, ...defined({ enteredEmail }) }
}
