import type { SecondFactors } from '../../ports/second-factors.js'
import type { Database } from './database.js'
import { exists } from './writes.js'

const INACTIVE = { 'factor.activeSince': { $exists: false } } as const

/** Stores the second factor in the account's document, so each change is one update. */
export function createSecondFactors({ accounts }: Database): SecondFactors {
  async function update(...args: Parameters<typeof accounts.updateOne>): Promise<boolean> {
    return (await accounts.updateOne(...args)).matchedCount === 1
  }

  return {
    async begin(id, { sealedSecret, at }) {
      const factor = { sealedSecret, begunAt: at }
      if (await update({ _id: id, ...INACTIVE }, { $set: { factor } })) return 'begun'
      return (await exists(accounts, { _id: id })) ? 'active' : 'unknown-account'
    },
    async activate(id, { sealedSecret, step, recovery, at }) {
      const codes = [...new Set(recovery)].sort()
      const change = { 'factor.activeSince': at, 'factor.lastStep': step, 'factor.recovery': codes }
      const pending = { _id: id, 'factor.sealedSecret': sealedSecret, ...INACTIVE }
      return (await update(pending, { $set: change })) ? 'activated' : 'changed'
    },
    async find(id) {
      const found = await accounts.findOne({ _id: id }, { projection: { factor: 1 } })
      if (!found?.factor) return undefined
      const { recovery = [], ...factor } = found.factor
      return { ...factor, recoveryLeft: recovery.length }
    },
    async takeStep(id, { step, since }) {
      const earlier = { _id: id, 'factor.activeSince': since, 'factor.lastStep': { $lt: step } }
      return (await update(earlier, { $set: { 'factor.lastStep': step } })) ? 'taken' : 'spent'
    },
    async takeRecovery(id, digest) {
      const held = { _id: id, 'factor.recovery': digest }
      return (await update(held, { $pull: { 'factor.recovery': digest } })) ? 'taken' : 'unknown'
    },
    async renewRecovery(id, { proof, recovery }) {
      const codes = { 'factor.recovery': [...new Set(recovery)].sort() }
      const renewed =
        proof.kind === 'step'
          ? update(
              { _id: id, 'factor.activeSince': proof.since, 'factor.lastStep': { $lt: proof.step } },
              { $set: { ...codes, 'factor.lastStep': proof.step } },
            )
          : update({ _id: id, 'factor.recovery': proof.digest }, { $set: codes })
      return (await renewed) ? 'renewed' : 'spent'
    },
    async reseal(id, before, next) {
      const same = { _id: id, 'factor.sealedSecret': before }
      return (await update(same, { $set: { 'factor.sealedSecret': next } })) ? 'resealed' : 'changed'
    },
    async remove(id) {
      const removed = await update({ _id: id, factor: { $exists: true } }, { $unset: { factor: true } })
      return removed ? 'removed' : 'unknown'
    },
  }
}
