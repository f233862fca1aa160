import { decideLoginRotation } from 'kennel-id/ports'
import { activeAccount, takeOut } from '../state.js'

/** @typedef {import('../state.js').State} State */

/**
 * @param {State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').Revocations>}
 */
export function revocationsOf(state) {
  const { revocations } = state

  function put(/** @type {State['revocations'][number]} */ login) {
    takeOut(revocations, ({ sessionId }) => sessionId === login.sessionId, 1)
    revocations.push(login)
  }

  return {
    isRevoked: (login, at) =>
      !activeAccount(state, login) ||
      revocations.some(
        ({ sessionId, until, pairs }) => sessionId === login.sessionId && at < until && !pairs,
      ),
    rotate(request) {
      const { sessionId, until } = request
      const rotation = decideLoginRotation(
        revocations.find((one) => one.sessionId === sessionId),
        request,
      )
      if (rotation.kind === 'rotated') put({ sessionId, until, pairs: rotation.pairs })
      // A reused refresh token means that two clients have the token, so the login ends.
      if (rotation.kind === 'replayed') put({ sessionId, until })
      return rotation
    },
    revoke(sessionId, until) {
      const earlier = revocations.find((one) => one.sessionId === sessionId)
      // A later revocation does not shorten an earlier revocation.
      if (earlier && !earlier.pairs && until <= earlier.until) return 'unchanged'
      put({ sessionId, until })
      return 'revoked'
    },
    purge: (at, limit) => takeOut(revocations, ({ until }) => until <= at, limit),
  }
}
