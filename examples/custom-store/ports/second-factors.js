/**
 * Each account's row contains its second factor, so removing the account also removes the factor.
 *
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').SecondFactors>}
 */
export function secondFactorsOf({ accounts }) {
  const rowOf = (/** @type {number} */ wanted) => accounts.find(({ id }) => id === wanted)

  function activeOf(/** @type {number} */ id) {
    const factor = rowOf(id)?.factor
    return factor?.activeSince === undefined ? undefined : factor
  }

  return {
    begin(id, { sealedSecret, at }) {
      const row = rowOf(id)
      if (!row) return 'unknown-account'
      if (activeOf(id)) return 'active'
      row.factor = { sealedSecret, begunAt: at, recovery: [] }
      return 'begun'
    },
    activate(id, { sealedSecret, step, recovery, at }) {
      const row = rowOf(id)
      if (!row || activeOf(id) || row.factor?.sealedSecret !== sealedSecret) return 'changed'
      row.factor = { ...row.factor, activeSince: at, lastStep: step, recovery: [...new Set(recovery)].sort() }
      return 'activated'
    },
    find(id) {
      const factor = rowOf(id)?.factor
      if (!factor) return undefined
      const { recovery, ...rest } = factor
      return { ...rest, recoveryLeft: recovery.length }
    },
    takeStep(id, { step, since }) {
      const [row, factor] = [rowOf(id), activeOf(id)]
      // An earlier step is also refused, because its code may already have been seen.
      if (!row || factor?.lastStep === undefined || factor.lastStep >= step || factor.activeSince !== since)
        return 'spent'
      row.factor = { ...factor, lastStep: step }
      return 'taken'
    },
    takeRecovery(id, digest) {
      const [row, factor] = [rowOf(id), activeOf(id)]
      if (!row || !factor?.recovery.includes(digest)) return 'unknown'
      row.factor = { ...factor, recovery: factor.recovery.filter((one) => one !== digest) }
      return 'taken'
    },
    renewRecovery(id, { proof, recovery }) {
      const [row, factor] = [rowOf(id), activeOf(id)]
      if (!row || factor?.lastStep === undefined) return 'spent'
      const isSpent =
        proof.kind === 'step'
          ? factor.lastStep >= proof.step || factor.activeSince !== proof.since
          : !factor.recovery.includes(proof.digest)
      if (isSpent) return 'spent'
      const lastStep = proof.kind === 'step' ? proof.step : factor.lastStep
      row.factor = { ...factor, lastStep, recovery: [...new Set(recovery)].sort() }
      return 'renewed'
    },
    reseal(id, before, next) {
      const row = rowOf(id)
      if (row?.factor?.sealedSecret !== before) return 'changed'
      row.factor = { ...row.factor, sealedSecret: next }
      return 'resealed'
    },
    remove(id) {
      const row = rowOf(id)
      if (!row?.factor) return 'unknown'
      delete row.factor
      return 'removed'
    },
  }
}
