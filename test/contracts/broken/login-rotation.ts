import {
  decideLoginRotation,
  type LoginRecord,
  type LoginRotationRequest,
} from '../../../src/domain/identity/login-rotation.js'
import type { SessionId } from '../../../src/domain/identity/session.js'
import type { Instant } from '../../../src/domain/instant.js'
import type { Revocations } from '../../../src/ports/revocations.js'
import { breakageOf, everybodyElse, type Breakage } from './breakage.js'

const broken = breakageOf('revocations')
const FIRST = 'the first rotate of a login makes next current and what was presented previous'
const EVERY =
  'every refresh makes a pair of its own, for as long as the login lasts, and the store does not grow by it'
const PREVIOUS = 'the previous pair gets the same successor inside its window'
const SPENT = 'a pair that was spent before is a replay and revokes the login until the end of its tokens'
const NO_GRACE = 'without grace every second use is a replay, whatever a clock says'
const ONLY = 'a replay revokes that login only'
const REVOKED = 'a revoked login is not rotated, be its pair good, spent or unknown'
const UNMOVED = 'an answer that changes nothing moves no end of what is stored'
const AS_GOOD = 'a login that was refreshed is as good as one that was not'
const OWN_END = 'a revocation of a login that was refreshed holds until its own end'
const ITS_END = 'what is stored of a login counts strictly before its end'
const COPIES = 'changing what rotate was given or gave changes no pair in the store'
const RACE = 'of 16 refreshes of a login with one token at once exactly one rotates it, all get its successor'
const RACE_NO_GRACE =
  'of 16 refreshes of a login without grace exactly one rotates it, and exactly one finds the replay'
const RACE_SPENT = 'of 16 who come with a spent token at once exactly one finds the replay'
const LOGOUT = 'a refresh of a login that races a logout leaves nothing active'
const PASSWORD = 'a refresh of a login that races a password change leaves nothing active'

export const brokenLoginRotations: readonly Breakage[] = [
  broken('rotate knows no grace', [FIRST, EVERY, PREVIOUS, COPIES, RACE], (inner) => ({
    rotate: (request) => inner.rotate({ ...request, grace: 0 }),
  })),
  broken('what is kept of a login stays', [EVERY, SPENT, ITS_END], (inner) => ({
    rotate: (request) => inner.rotate({ ...request, until: Infinity }),
  })),
  broken('a revoked login is replayed', [SPENT, NO_GRACE, REVOKED, RACE_NO_GRACE, RACE_SPENT], (inner) => ({
    async rotate(request) {
      const rotation = await inner.rotate(request)
      return rotation.kind === 'revoked' ? { kind: 'replayed' } : rotation
    },
  })),
  broken('who asks for a revoked login prolongs what is kept of it', [UNMOVED], (inner) => ({
    async rotate(request) {
      const rotation = await inner.rotate(request)
      if (rotation.kind === 'revoked') await inner.revoke(request.sessionId, request.until)
      return rotation
    },
  })),
  broken('a login that was refreshed is taken for a revoked one', [FIRST, EVERY, ONLY, AS_GOOD], (inner) => ({
    ...watchingLogins(inner, (isKnown, revoked) => isKnown || revoked),
  })),
  broken('a login that was refreshed outlives its account', [SPENT, AS_GOOD, PASSWORD, LOGOUT], (inner) => ({
    ...watchingLogins(inner, (isKnown, revoked) => !isKnown && revoked),
  })),
  broken('a revocation takes over the end of the pairs', [OWN_END], (inner) => {
    const ends = new Map<SessionId, Instant>()
    return {
      rotate(request) {
        ends.set(request.sessionId, request.until)
        return inner.rotate(request)
      },
      revoke: (id, until) => inner.revoke(id, Math.max(until, ends.get(id) ?? 0)),
    }
  }),
  broken('a refresh looks, then writes', [RACE, RACE_NO_GRACE, RACE_SPENT, LOGOUT], () =>
    onRecords(everybodyElse),
  ),
]

/** Asks `judge` about each login whether it is revoked: whether it was refreshed, and what the store says. */
function watchingLogins(
  inner: Revocations,
  judge: (isKnown: boolean, revoked: boolean) => boolean,
): Partial<Revocations> {
  const known = new Set<SessionId>()
  return {
    rotate(request) {
      known.add(request.sessionId)
      return inner.rotate(request)
    },
    isRevoked: async (login, at) => judge(known.has(login.sessionId), await inner.isRevoked(login, at)),
  }
}

/** Revocations on a map, with something between the look and the write. */
function onRecords(between: () => Promise<void>): Partial<Revocations> {
  const records = new Map<SessionId, LoginRecord>()
  return {
    async rotate(request: LoginRotationRequest) {
      const { sessionId, until } = request
      const rotation = decideLoginRotation(records.get(sessionId), request)
      await between()
      if (rotation.kind === 'rotated') records.set(sessionId, { until, pairs: rotation.pairs })
      if (rotation.kind === 'replayed') records.set(sessionId, { until })
      return rotation
    },
    async revoke(sessionId, until) {
      records.set(sessionId, { until })
      return 'revoked'
    },
    async isRevoked({ sessionId }, at) {
      const record = records.get(sessionId)
      return record !== undefined && !record.pairs && at < record.until
    },
  }
}
