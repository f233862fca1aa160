import type { AccountId } from '../../domain/identity/account.js'
import type { SecondFactors } from '../../ports/second-factors.js'
import type { Database } from './database.js'

const INACTIVE = { 'factor.activeSince': { $exists: false } } as const

/** The second factor is in its account's document, so each change is one update of that. */
export function createSecondFactors({ accounts, sessions, run }: Database): SecondFactors {
  async function exists(id: AccountId): Promise<boolean> {
    return (await accounts.findOne({ _id: id }, { projection: { _id: 1 } })) !== null
  }

  async function isChanged(...update: Parameters<typeof accounts.updateOne>): Promise<boolean> {
    return (await accounts.updateOne(...update)).matchedCount === 1
  }

  /** Of the account's own sessions and those in which it acts: none counts any more where the account has no factor. */
  async function forget(id: AccountId): Promise<void> {
    const logins = [{ accountId: id, actor: { $exists: false } }, { 'actor.accountId': id }]
    await sessions.updateMany({ factor: true, $or: logins }, { $unset: { factor: true } })
  }

  return {
    begin: (id, { sealedSecret, at }) =>
      run(async () => {
        const factor = { sealedSecret, begunAt: at }
        if (await isChanged({ _id: id, ...INACTIVE }, { $set: { factor } })) return 'begun'
        return (await exists(id)) ? 'active' : 'unknown-account'
      }),
    activate: (id, { sealedSecret, step, recovery, at }) =>
      run(async () => {
        const codes = [...new Set(recovery)].sort()
        const change = { 'factor.activeSince': at, 'factor.lastStep': step, 'factor.recovery': codes }
        const pending = { _id: id, 'factor.sealedSecret': sealedSecret, ...INACTIVE }
        return (await isChanged(pending, { $set: change })) ? 'activated' : 'changed'
      }),
    find: (id) =>
      run(async () => {
        const found = await accounts.findOne({ _id: id }, { projection: { factor: 1 } })
        if (!found?.factor) return undefined
        const { recovery = [], ...factor } = found.factor
        return { ...factor, recoveryLeft: recovery.length }
      }),
    takeStep: (id, step) =>
      run(async () => {
        const earlier = { _id: id, 'factor.lastStep': { $lt: step } }
        return (await isChanged(earlier, { $set: { 'factor.lastStep': step } })) ? 'taken' : 'spent'
      }),
    takeRecovery: (id, digest) =>
      run(async () => {
        const held = { _id: id, 'factor.recovery': digest }
        return (await isChanged(held, { $pull: { 'factor.recovery': digest } })) ? 'taken' : 'unknown'
      }),
    reseal: (id, before, next) =>
      run(async () => {
        const same = { _id: id, 'factor.sealedSecret': before }
        return (await isChanged(same, { $set: { 'factor.sealedSecret': next } })) ? 'resealed' : 'changed'
      }),
    remove: (id) =>
      run(async () => {
        const there = { _id: id, factor: { $exists: true } }
        const removed = await isChanged(there, { $unset: { factor: true } })
        // In any case: a removal that has failed half-way is made again.
        await forget(id)
        return removed ? 'removed' : 'unknown'
      }),
  }
}
