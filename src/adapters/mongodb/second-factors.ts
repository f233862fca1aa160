import type { AccountId } from '../../domain/identity/account.js'
import type { SecondFactors } from '../../ports/second-factors.js'
import type { Database } from './database.js'

const INACTIVE = { 'factor.activeSince': { $exists: false } } as const

/** The second factor is in its account's document, so each change is one update of that. */
export function createSecondFactors(database: Database): SecondFactors {
  const { accounts, sessions, run } = database
  async function exists(id: AccountId): Promise<boolean> {
    return (await accounts.findOne({ _id: id }, { projection: { _id: 1 } })) !== null
  }

  /** Of the account's own sessions and those in which it acts: none counts any more where the account has no factor. */
  async function forget(id: AccountId): Promise<void> {
    const logins = [{ accountId: id, actor: { $exists: false } }, { 'actor.accountId': id }]
    await sessions.updateMany({ factor: true, $or: logins }, { $unset: { factor: true } })
  }

  return {
    ...codeCalls(database),
    begin: (id, { sealedSecret, at }) =>
      run(async () => {
        const factor = { sealedSecret, begunAt: at }
        if (await isChanged(accounts, { _id: id, ...INACTIVE }, { $set: { factor } })) return 'begun'
        return (await exists(id)) ? 'active' : 'unknown-account'
      }),
    activate: (id, { sealedSecret, step, recovery, at }) =>
      run(async () => {
        const codes = [...new Set(recovery)].sort()
        const change = { 'factor.activeSince': at, 'factor.lastStep': step, 'factor.recovery': codes }
        const pending = { _id: id, 'factor.sealedSecret': sealedSecret, ...INACTIVE }
        return (await isChanged(accounts, pending, { $set: change })) ? 'activated' : 'changed'
      }),
    find: (id) =>
      run(async () => {
        const found = await accounts.findOne({ _id: id }, { projection: { factor: 1 } })
        if (!found?.factor) return undefined
        const { recovery = [], ...factor } = found.factor
        return { ...factor, recoveryLeft: recovery.length }
      }),
    reseal: (id, before, next) =>
      run(async () => {
        const same = { _id: id, 'factor.sealedSecret': before }
        return (await isChanged(accounts, same, { $set: { 'factor.sealedSecret': next } }))
          ? 'resealed'
          : 'changed'
      }),
    remove: (id) =>
      run(async () => {
        const there = { _id: id, factor: { $exists: true } }
        const removed = await isChanged(accounts, there, { $unset: { factor: true } })
        // In any case: a removal that has failed half-way is made again.
        await forget(id)
        return removed ? 'removed' : 'unknown'
      }),
  }
}

type CodeCalls = Pick<SecondFactors, 'takeStep' | 'takeRecovery' | 'renewRecovery'>

/** The calls that use a code up. */
function codeCalls({ accounts, run }: Database): CodeCalls {
  return {
    takeStep: (id, step) =>
      run(async () => {
        const earlier = { _id: id, 'factor.lastStep': { $lt: step } }
        return (await isChanged(accounts, earlier, { $set: { 'factor.lastStep': step } })) ? 'taken' : 'spent'
      }),
    takeRecovery: (id, digest) =>
      run(async () => {
        const held = { _id: id, 'factor.recovery': digest }
        return (await isChanged(accounts, held, { $pull: { 'factor.recovery': digest } }))
          ? 'taken'
          : 'unknown'
      }),
    renewRecovery: (id, { proof, recovery }) =>
      run(async () => {
        const codes = { 'factor.recovery': [...new Set(recovery)].sort() }
        const renewed =
          proof.kind === 'step'
            ? await isChanged(
                accounts,
                { _id: id, 'factor.lastStep': { $lt: proof.step } },
                { $set: { ...codes, 'factor.lastStep': proof.step } },
              )
            : await isChanged(accounts, { _id: id, 'factor.recovery': proof.digest }, { $set: codes })
        return renewed ? 'renewed' : 'spent'
      }),
  }
}

type Accounts = Database['accounts']

async function isChanged(accounts: Accounts, ...update: Parameters<Accounts['updateOne']>): Promise<boolean> {
  return (await accounts.updateOne(...update)).matchedCount === 1
}
