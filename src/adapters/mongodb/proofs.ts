import type { Filter } from 'mongodb'
import { CODE_ATTEMPTS_MAX, type Proof, type ProofPurpose } from '../../domain/identity/proof.js'
import type { Instant, Milliseconds } from '../../domain/instant.js'
import type { Proofs, ProofUse } from '../../ports/proofs.js'
import { changeEmail, insertAccount } from './accounts.js'
import type { Database } from './database.js'
import { documentOf, type ProofDocument } from './documents.js'
import { ENABLED } from './epochs.js'
import { removeFirst } from './writes.js'

/** A claim by a process that was killed ends after this time, much later than any call. */
const CLAIM: Milliseconds = 60_000

const unclaimedAt = (at: Instant): Filter<ProofDocument> => ({ claimedAt: { $not: { $gt: at - CLAIM } } })

/**
 * Stores proofs. There is no transaction over a proof and its account. A change of email increments the epoch, which only one caller can do
 * for the epoch of the proof. For all other changes, a caller first claims the proof, so that neither another caller nor a removal gets it.
 */
export function createProofs(database: Database): Proofs {
  const { proofs, accounts } = database

  async function hasEpoch({ accountId, epoch }: Pick<Proof, 'accountId' | 'epoch'>): Promise<boolean> {
    if (accountId === undefined || epoch === undefined) return true
    const same = { _id: accountId, epoch, ...ENABLED }
    return (await accounts.findOne(same, { projection: { _id: 1 } })) !== null
  }

  async function find({ digest, at }: ProofUse): Promise<Proof | undefined> {
    const found = await proofs.findOne({ digest, until: { $gt: at }, ...unclaimedAt(at) })
    return found && (await hasEpoch(found)) ? proofOf(found) : undefined
  }

  async function claim({ digest, at }: ProofUse, purposes: readonly ProofPurpose[]) {
    const valid = { digest, purpose: { $in: [...purposes] }, until: { $gt: at }, ...unclaimedAt(at) }
    return await proofs.findOneAndUpdate(valid, { $set: { claimedAt: at } })
  }

  const release = async (_id: Proof['id']) => await proofs.updateOne({ _id }, { $unset: { claimedAt: true } })

  return {
    async issue(proof) {
      const { _id, ...replacement } = documentOf(proof)
      await proofs.replaceOne({ _id }, replacement, { upsert: true })
    },
    async renew({ id, until, ...secrets }) {
      const change = {
        $set: { until, ...secrets, attempts: 0 },
        ...(secrets.codeHash === undefined && { $unset: { codeHash: true as const } }),
      }
      const unclaimed = { _id: id, claimedAt: { $exists: false } }
      const renewed = await proofs.findOneAndUpdate(unclaimed, change, { returnDocument: 'after' })
      return renewed ? proofOf(renewed) : undefined
    },
    find,
    async attempt(binding, at) {
      const open = { binding, until: { $gt: at }, attempts: { $lt: CODE_ATTEMPTS_MAX }, ...unclaimedAt(at) }
      const counted = await proofs.findOneAndUpdate(
        open,
        { $inc: { attempts: 1 } },
        { returnDocument: 'after' },
      )
      return counted && (await hasEpoch(counted)) ? proofOf(counted) : undefined
    },
    async consume(use) {
      const proof = await find(use)
      if (proof?.purpose !== 'login') return 'spent'
      const { deletedCount } = await proofs.deleteOne({ _id: proof.id, digest: use.digest })
      return deletedCount === 1 ? 'consumed' : 'spent'
    },
    async createAccount({ account, ...use }) {
      const proof = await claim(use, ['sign-up', 'invitation'])
      if (!proof) return { kind: 'spent' }
      const { _id, email, enteredEmail, roles = [] } = proof
      const entered = enteredEmail !== undefined && { enteredEmail }
      const inserted = await insertAccount(database, { ...account, email, ...entered, roles })
      if (inserted.kind === 'unknown-role') {
        await release(_id)
        return inserted
      }
      await proofs.deleteOne({ _id })
      return inserted.kind === 'inserted' ? { kind: 'created', id: inserted.id } : { kind: 'email-taken' }
    },
    async changeEmail(use, undo) {
      const proof = await find(use)
      if (proof?.purpose !== 'change-email') return 'spent'
      const { id, accountId, epoch } = proof
      if (accountId === undefined || epoch === undefined) return 'spent'
      // Nobody can use `undo` before it has a secret, so it is stored before the change that it undoes.
      await proofs.insertOne(documentOf(undo))
      const outcome = await changeEmail(database, emailChange(proof, accountId), { epoch, ...ENABLED })
      if (outcome !== 'changed') await proofs.deleteOne({ _id: undo.id })
      if (outcome !== 'unknown') await proofs.deleteOne({ _id: id })
      return outcome === 'unknown' ? 'spent' : outcome
    },
    async undoEmail(use) {
      const proof = await claim(use, ['undo-email'])
      if (!proof || proof.accountId === undefined) return 'spent'
      const { _id, accountId } = proof
      const outcome = await changeEmail(database, emailChange(proof, accountId))
      const later = { accountId, purpose: 'undo-email' as const, _id: { $gt: _id } }
      if (outcome === 'changed') await proofs.deleteMany(later)
      await proofs.deleteOne({ _id })
      return outcome === 'unknown' ? 'spent' : outcome
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

function emailChange(
  { email, enteredEmail }: Pick<Proof, 'email' | 'enteredEmail'>,
  id: NonNullable<Proof['accountId']>,
) {
  return { id, email, ...(enteredEmail !== undefined && { enteredEmail }) }
}
