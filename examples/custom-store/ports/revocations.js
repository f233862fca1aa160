import { activeAccount, takeOut } from '../state.js'

/**
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').Revocations>}
 */
export function revocationsOf(state) {
  const { revocations } = state
  return {
    isRevoked: (login, at) =>
      !activeAccount(state, login) ||
      revocations.some(({ sessionId, until }) => sessionId === login.sessionId && at < until),
    revoke(sessionId, until) {
      const earlier = revocations.find((one) => one.sessionId === sessionId)
      // A later word does not shorten an earlier one.
      if (earlier && until <= earlier.until) return 'unchanged'
      takeOut(revocations, (one) => one === earlier, 1)
      revocations.push({ sessionId, until })
      return 'revoked'
    },
    purge: (at, limit) => takeOut(revocations, ({ until }) => until <= at, limit),
  }
}
