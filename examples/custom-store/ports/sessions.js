import { accountFrom, bumpEpoch, compare, activeAccount, rolesOf, takeOut } from '../state.js'

/**
 * @typedef {import('../state.js').State['sessions'][number]} Row
 * @typedef {import('kennel-id/ports').RotationRequest} RotationRequest
 */

/**
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').Steps<import('kennel-id/ports').Sessions>}
 */
export function sessionsOf(state) {
  const { sessions } = state

  /** The account, while it lets the session live; so must that of its actor. */
  function ownerOf(/** @type {Row} */ session) {
    const { actor } = session
    return actor && !activeAccount(state, actor) ? undefined : activeAccount(state, session)
  }

  /** The active session that is meant, with its account and the roles of the actor, where it has one. */
  function active(/** @type {number} */ at, /** @type {(session: Row) => boolean} */ isMeant) {
    const session = sessions.find((one) => isMeant(one) && !isOver(one, at))
    const owner = session && ownerOf(session)
    if (!owner) return undefined
    const active = { session, account: accountFrom(state, owner) }
    const actor = session.actor && activeAccount(state, session.actor)
    return actor ? { ...active, actorRoles: rolesOf(state, actor.roles) } : active
  }

  return {
    open: (session) => void sessions.push(session),
    find: (keyDigest, at) => active(at, (one) => keysOf(one, at).includes(keyDigest)),
    findById: (wanted, at) => active(at, ({ id }) => id === wanted),
    pageOf: ({ accountId, after, limit, at }) =>
      sessions
        .filter((one) => one.accountId === accountId && !isOver(one, at) && ownerOf(one))
        .filter((one) => after === undefined || inOrder(one, after) > 0)
        .sort(inOrder)
        .slice(0, limit),
    rotate(request) {
      const session = active(request.at, ({ id }) => id === request.sessionId)?.session
      if (!session) return { kind: 'unknown' }
      const kind = judge(session, request)
      // A refresh token that was spent before is in the hands of two: the session ends.
      if (kind === 'replayed') sessions.splice(sessions.indexOf(session), 1)
      if (kind === 'rotated') rotate(session, request)
      return kind === 'rotated' || kind === 'superseded' ? { kind, session } : { kind }
    },
    end(wanted) {
      const session = sessions.find(({ id }) => id === wanted)
      takeOut(sessions, (one) => one === session, 1)
      return session && ownerOf(session) ? 'ended' : 'unknown'
    },
    endAllOf(accountId) {
      const account = state.accounts.find(({ id }) => id === accountId)
      if (!account) return undefined
      const active = sessions.filter((one) => one.accountId === accountId && ownerOf(one)).length
      bumpEpoch(state, account)
      return active
    },
    purge: (at, limit) => takeOut(sessions, (one) => isOver(one, at), limit),
  }
}

/**
 * @param {Row} session
 * @param {number} at
 */
function isOver(session, at) {
  return at >= session.endsAt || at >= session.current.idleEndsAt
}

/**
 * The previous generation while its window is open.
 *
 * @param {Row} session
 * @param {number} at
 */
function openPrevious({ previous }, at) {
  return previous && at < previous.until ? previous : undefined
}

/**
 * Digests of the keys that lead to the session at this moment.
 *
 * @param {Row} session
 * @param {number} at
 * @returns {readonly (string | undefined)[]}
 */
function keysOf(session, at) {
  const previous = openPrevious(session, at)
  return [session.current.keyDigest, ...(previous ? [previous.keyDigest] : [])]
}

/**
 * What the request is to an active session, in the order that the port gives.
 *
 * @param {Row} session
 * @param {RotationRequest} request
 */
function judge(session, { from, keyDigest, at, grace }) {
  const previous = grace > 0 ? openPrevious(session, at) : undefined
  const isGood =
    keyDigest !== undefined && [session.current.keyDigest, previous?.keyDigest].includes(keyDigest)
  if (from === session.current.pairId) return isGood ? 'rotated' : 'mismatched'
  // A tab of the same browser slept: it has the cookie of all tabs, and an old token.
  if (grace > 0 && isGood) return 'superseded'
  return from === previous?.pairId ? 'mismatched' : 'replayed'
}

/**
 * @param {Row} session
 * @param {RotationRequest} request
 */
function rotate(session, { next, at, grace }) {
  const { pairId, keyDigest } = session.current
  // Without grace there is no window, not even for a clock that is behind.
  session.previous = { pairId, keyDigest, until: grace > 0 ? at + grace : 0 }
  session.current = next
}

/**
 * @param {import('kennel-id/ports').SessionPosition} one
 * @param {import('kennel-id/ports').SessionPosition} other
 */
function inOrder(one, other) {
  return compare(one.createdAt, other.createdAt) || compare(one.id, other.id)
}
