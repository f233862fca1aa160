import type { AccountId } from '../../domain/identity/account.js'
import type { StoredSecondFactor } from '../../domain/identity/second-factor.js'
import type { Session } from '../../domain/identity/session.js'
import type { SecondFactors } from '../../ports/second-factors.js'
import type { SyncPort } from '../../ports/wrap-port.js'
import type { State } from './state.js'

export function memorySecondFactors({ accounts, secondFactors, sessions }: State): SyncPort<SecondFactors> {
  /** The account's own sessions, and those in which it acts. */
  function loginsOf(id: AccountId): readonly Session[] {
    return [...sessions.ofAccount(id).filter(({ actor }) => !actor), ...sessions.ofActor(id)]
  }

  return {
    ...codeCalls({ secondFactors }),
    begin(id, { sealedSecret, at }) {
      if (!accounts.get(id)) return 'unknown-account'
      if (activeOf(secondFactors, id)) return 'active'
      secondFactors.set(id, { sealedSecret, begunAt: at, recovery: [] })
      return 'begun'
    },
    activate(id, { sealedSecret, step, recovery, at }) {
      const [account, factor] = [accounts.get(id), secondFactors.get(id)]
      if (!account || activeOf(secondFactors, id) || factor?.sealedSecret !== sealedSecret) return 'changed'
      secondFactors.set(id, { ...factor, activeSince: at, lastStep: step, recovery: [...new Set(recovery)] })
      accounts.replace(id, { ...account, secondFactor: true })
      return 'activated'
    },
    find(id) {
      const factor = secondFactors.get(id)
      if (!factor) return undefined
      const { recovery, ...rest } = factor
      return { ...rest, recoveryLeft: recovery.length }
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
      for (const { factor, ...session } of loginsOf(id)) if (factor) sessions.put(session)
      return 'removed'
    },
  }
}

type CodeCalls = Pick<SyncPort<SecondFactors>, 'takeStep' | 'takeRecovery' | 'renewRecovery'>

/** The calls that use a code up. */
function codeCalls({ secondFactors }: Pick<State, 'secondFactors'>): CodeCalls {
  const calls: CodeCalls = {
    takeStep(id, step) {
      const factor = activeOf(secondFactors, id)
      if (factor?.lastStep === undefined || factor.lastStep >= step) return 'spent'
      secondFactors.set(id, { ...factor, lastStep: step })
      return 'taken'
    },
    takeRecovery(id, digest) {
      const factor = activeOf(secondFactors, id)
      if (!factor?.recovery.includes(digest)) return 'unknown'
      secondFactors.set(id, { ...factor, recovery: factor.recovery.filter((one) => one !== digest) })
      return 'taken'
    },
    renewRecovery(id, { proof, recovery }) {
      const taken =
        proof.kind === 'step' ? calls.takeStep(id, proof.step) : calls.takeRecovery(id, proof.digest)
      const factor = activeOf(secondFactors, id)
      if (taken !== 'taken' || !factor) return 'spent'
      secondFactors.set(id, { ...factor, recovery: [...new Set(recovery)] })
      return 'renewed'
    },
  }
  return calls
}

function activeOf(secondFactors: State['secondFactors'], id: AccountId): StoredSecondFactor | undefined {
  const factor = secondFactors.get(id)
  return factor?.activeSince === undefined ? undefined : factor
}
