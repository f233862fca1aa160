import { decideRotation, isFoundBy, isPastEnd } from 'kennel-id/ports'
import { accountFrom, bumpEpoch, compare, activeAccount, rolesOf, takeOut } from '../state.js'

/** @typedef {import('../state.js').State['sessions'][number]} Row */

/**
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').Sessions>}
 */
export function sessionsOf(state) {
  const { sessions } = state

  /** Returns the session's account if that account and the actor's account are active. */
  function ownerOf(/** @type {Row} */ session) {
    const { actor } = session
    return actor && !activeAccount(state, actor) ? undefined : activeAccount(state, session)
  }

  /** Returns the active session with its account and, if it has an actor, the actor's roles. */
  function active(/** @type {number} */ at, /** @type {(session: Row) => boolean} */ isMeant) {
    const session = sessions.find((one) => isMeant(one) && !isPastEnd(one, at))
    const owner = session && ownerOf(session)
    if (!owner) return undefined
    const active = { session, account: accountFrom(state, owner) }
    const actor = session.actor && activeAccount(state, session.actor)
    if (!actor) return active
    const actorFactor = actor.factor?.activeSince
    const actorRoles = rolesOf(state, actor.roles)
    return { ...active, actorRoles, ...(actorFactor !== undefined && { actorFactor }) }
  }

  return {
    // Stores no session if the account was removed in the meantime.
    open: (session) => void (ownerOf(session) && sessions.push(session)),
    openWithLimit(session, most) {
      if (!ownerOf(session)) return 0
      sessions.push(session)
      const { accountId, createdAt: at } = session
      const others = sessions
        .filter((one) => one !== session && one.accountId === accountId && !one.actor)
        .filter((one) => !isPastEnd(one, at) && ownerOf(one))
        .sort(inOrder)
      const tooMany = others.slice(0, Math.max(0, others.length + 1 - most))
      return takeOut(sessions, (one) => tooMany.includes(one), Infinity)
    },
    find: (keyDigest, at) => active(at, (one) => isFoundBy(one, keyDigest, at)),
    findById: (wanted, at) => active(at, ({ id }) => id === wanted),
    pageOf: ({ accountId, after, limit, at }) =>
      sessions
        .filter((one) => one.accountId === accountId && !isPastEnd(one, at) && ownerOf(one))
        .filter((one) => after === undefined || inOrder(one, after) > 0)
        .sort(inOrder)
        .slice(0, limit),
    rotate(request) {
      const session = active(request.at, ({ id }) => id === request.sessionId)?.session
      const rotation = decideRotation(session, request)
      if (session && rotation.kind === 'rotated') sessions[sessions.indexOf(session)] = rotation.session
      // A reused refresh token means that two clients have the token, so the session ends.
      if (session && rotation.kind === 'replayed') sessions.splice(sessions.indexOf(session), 1)
      return rotation
    },
    end(wanted) {
      const session = sessions.find(({ id }) => id === wanted)
      takeOut(sessions, (one) => one === session, 1)
      return session && ownerOf(session) ? 'ended' : 'unknown'
    },
    endOne: (accountId, wanted) =>
      takeOut(sessions, (one) => one.id === wanted && one.accountId === accountId, 1) === 1
        ? 'ended'
        : 'unknown',
    endOthers(accountId, keep, at) {
      const isOther = (/** @type {Row} */ one) =>
        one.id !== keep && (one.accountId === accountId || one.actor?.accountId === accountId)
      const active = sessions.filter((one) => isOther(one) && !isPastEnd(one, at) && ownerOf(one)).length
      takeOut(sessions, isOther, Infinity)
      return active
    },
    endAllOf(accountId) {
      const account = state.accounts.find(({ id }) => id === accountId)
      if (!account) return undefined
      const active = sessions.filter((one) => one.accountId === accountId && ownerOf(one)).length
      bumpEpoch(state, account)
      return active
    },
    purge(at, limit) {
      const over = sessions
        .filter((one) => isPastEnd(one, at))
        .sort((one, other) => endOf(one) - endOf(other))
      const oldest = new Set(over.slice(0, limit))
      return takeOut(sessions, (one) => oldest.has(one), limit)
    },
  }
}

/** @param {Row} session */
const endOf = ({ endsAt, current }) => Math.min(endsAt, current.idleEndsAt)

/**
 * @param {import('kennel-id/ports').SessionPosition} one
 * @param {import('kennel-id/ports').SessionPosition} other
 */
function inOrder(one, other) {
  return compare(one.createdAt, other.createdAt) || compare(one.id, other.id)
}
