import type { SyncPort } from '../../application/wrap-port.js'
import type { AccountId } from '../../domain/identity/account.js'
import type { StoredSecondFactor } from '../../domain/identity/second-factor.js'
import type { SecondFactors, TakenStep } from '../../ports/second-factors.js'
import type { State } from './state.js'

/** Second factors in memory. */
export function memorySecondFactors(state: State): SyncPort<SecondFactors> {
  const { accounts, secondFactors } = state
  const isActive = (id: AccountId) => secondFactors.get(id)?.activeSince !== undefined

  const port: SyncPort<SecondFactors> = {
    begin(id, { sealedSecret, at }) {
      if (!accounts.get(id)) return 'unknown-account'
      if (isActive(id)) return 'active'
      secondFactors.set(id, { sealedSecret, begunAt: at, recovery: [] })
      return 'begun'
    },
    activate(id, { sealedSecret, step, recovery, at }) {
      const [account, factor] = [accounts.get(id), secondFactors.get(id)]
      if (!account || isActive(id) || factor?.sealedSecret !== sealedSecret) return 'changed'
      secondFactors.set(id, { ...factor, activeSince: at, lastStep: step, recovery: [...new Set(recovery)] })
      accounts.replace(id, { ...account, secondFactor: at })
      return 'activated'
    },
    find(id) {
      const factor = secondFactors.get(id)
      if (!factor) return undefined
      const { recovery, ...rest } = factor
      return { ...rest, recoveryLeft: recovery.length }
    },
    takeStep: (id, taken) => (replaceActive(state, id, withStep(taken)) ? 'taken' : 'spent'),
    takeRecovery: (id, digest) =>
      replaceActive(state, id, ({ recovery, ...factor }) => {
        const left = recovery.filter((one) => one !== digest)
        return left.length < recovery.length && { ...factor, recovery: left }
      })
        ? 'taken'
        : 'unknown',
    renewRecovery(id, { proof, recovery }) {
      const taken = proof.kind === 'step' ? port.takeStep(id, proof) : port.takeRecovery(id, proof.digest)
      if (taken !== 'taken') return 'spent'
      replaceActive(state, id, (factor) => ({ ...factor, recovery: [...new Set(recovery)] }))
      return 'renewed'
    },
    reseal(id, before, next) {
      const factor = secondFactors.get(id)
      if (factor?.sealedSecret !== before) return 'changed'
      secondFactors.set(id, { ...factor, sealedSecret: next })
      return 'resealed'
    },
    remove(id) {
      const account = accounts.get(id)
      if (!account || !secondFactors.delete(id)) return 'unknown'
      const { secondFactor: _, ...rest } = account
      accounts.replace(id, rest)
      return 'removed'
    },
  }
  return port
}

const withStep =
  ({ step, since }: TakenStep) =>
  (factor: StoredSecondFactor): StoredSecondFactor | false =>
    factor.activeSince === since && (factor.lastStep ?? step) < step && { ...factor, lastStep: step }

/** Replaces an active second factor with the result of `change`, unless the result is `false`. */
function replaceActive(
  { secondFactors }: State,
  id: AccountId,
  change: (factor: StoredSecondFactor) => StoredSecondFactor | false,
): boolean {
  const factor = secondFactors.get(id)
  const next = factor?.activeSince !== undefined && change(factor)
  if (next) secondFactors.set(id, next)
  return next !== false
}
