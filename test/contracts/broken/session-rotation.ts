import type { Session, SessionId } from '../../../src/domain/identity/session.js'
import { decideRotation, type RotationRequest } from '../../../src/domain/identity/rotation.js'
import type { Sessions } from '../../../src/ports/sessions.js'
import { breakageOf, everybodyElse, type Breakage } from './breakage.js'

const broken = breakageOf('sessions')
const PREVIOUS_KEY = 'the previous key goes with the active token inside its window only'
const REPLAY = 'the previous token is a replay from the end of its window on'
const COPIES = 'changing what rotate was given or gave changes nothing in the store'
const REPLAY_RACE = 'a refresh that races a replay leaves nothing active'
const LOGOUT_RACE = 'a refresh that races a logout leaves nothing active'
const PASSWORD = 'accounts: setPassword ends every session of the account and of no other'
const PASSWORD_RACE = 'refreshes that race a password change leave nothing active'
const NEVER_ISSUED = 'a token that was never issued is a replay'
const ROTATES = 'rotate makes next current and current previous'
const RACE = 'of 16 refreshes with one token at once exactly one moves the session, all get its successor'
const STRICT_RACE =
  'of 16 refreshes with one token and no grace exactly one moves the session, which then ends'
const SUCCESSOR = 'the previous token gets the same successor, by either key'
const WHATEVER =
  'a spent token ends the session after its window, whatever cookie comes with it but the current one'
const STRICT = 'with no grace every second use is a replay'
const NO_WINDOW = 'with no grace no clock falls into a window, however early it reads'
const OTHER_WINDOW = 'with no grace a window that another process has opened is none'
const ASLEEP = 'a spent token of any age gets the current pair with the current key, at any time'
const AWAKE = 'a spent token of any age gets the current pair with the previous key inside its window'
const OLD = 'a token two generations old is a replay with the key of its time'
const STORED = 'what is stored decides about a rotation, whatever session comes with the request'
const NETWORK = 'a generation is kept with the network that it was made for, and one without has none'
const TABS =
  'of 16 tabs that wake at once with tokens of all ages exactly one moves the session, none ends it'
const WRONG_COOKIE = 'a good token with the wrong cookie changes nothing'

export const brokenRotation: readonly Breakage[] = [
  broken('refresh looks, then writes', [RACE, STRICT_RACE, REPLAY_RACE, LOGOUT_RACE], (inner) => ({
    async rotate(request) {
      const found = await inner.findById(request.sessionId, request.at)
      const good = found?.session.current.pairId === request.from
      if (!good || found.session.current.keyDigest !== request.keyDigest) return await inner.rotate(request)
      await everybodyElse()
      const session = movedOn(found.session, request)
      await inner.open(session)
      return { kind: 'rotated', session }
    },
  })),
  broken(
    'refresh stamps the session with the epoch of the moment',
    [PASSWORD, PASSWORD_RACE],
    (inner, { accounts }) => {
      const rows = new Map<SessionId, Session>()
      return {
        async open(session) {
          rows.set(session.id, session)
          await inner.open(session)
        },
        async rotate(request) {
          const row = rows.get(request.sessionId)
          const account = row && (await accounts.find(row.accountId))
          if (account && row.epoch !== account.epoch) await inner.open({ ...row, epoch: account.epoch })
          const answer = await inner.rotate(request)
          if (answer.kind === 'rotated') rows.set(request.sessionId, answer.session)
          return answer
        },
      }
    },
  ),
  broken(
    'a replay leaves the session alive',
    [REPLAY, STRICT, OLD, NEVER_ISSUED, WHATEVER, STRICT_RACE],
    (inner) => ({ rotate: (request) => withoutEnding(inner, request) }),
  ),
  broken('a replay ends all sessions of the account', ['a replay ends that session only'], (inner) => ({
    async rotate(request) {
      const found = await inner.findById(request.sessionId, request.at)
      const answer = await inner.rotate(request)
      if (found && answer.kind === 'replayed') await inner.endAllOf(found.account.id)
      return answer
    },
  })),
  broken('the session that comes with a request decides about it', [STORED], (inner) => ({
    async rotate(request) {
      const answer = decideRotation(request.found, request)
      return request.found && answer.kind !== 'rotated' ? answer : await inner.rotate(request)
    },
  })),
  broken('the cookie is not compared', [WRONG_COOKIE], (inner) => ({
    async rotate(request) {
      const found = await inner.findById(request.sessionId, request.at)
      return await inner.rotate({ ...request, keyDigest: found?.session.current.keyDigest })
    },
  })),
  broken('the previous key goes with the active token for ever', [PREVIOUS_KEY], (inner) => ({
    async rotate(request) {
      const session = (await inner.findById(request.sessionId, request.at))?.session
      const old = request.keyDigest !== undefined && session?.previous?.keyDigest === request.keyDigest
      const isActive = session?.current.pairId === request.from
      return await inner.rotate(
        old && isActive ? { ...request, keyDigest: session.current.keyDigest } : request,
      )
    },
  })),
  broken('without grace a window is short', [STRICT, NO_WINDOW], (inner) => ({
    rotate: (request) => inner.rotate({ ...request, grace: Math.max(request.grace, 1) }),
  })),
  broken('a window stays open whatever the grace of who looks', [OTHER_WINDOW], (inner) => ({
    async rotate(request) {
      const found = await inner.findById(request.sessionId, request.at)
      const second = found?.session.current.number !== 1
      return await inner.rotate({ ...request, grace: second ? Math.max(request.grace, 1) : request.grace })
    },
  })),
  broken('a tab that slept is a thief', [ASLEEP, TABS], (inner) => ({
    async rotate(request) {
      const session = (await inner.findById(request.sessionId, request.at))?.session
      const previous = session?.previous && request.at < session.previous.until ? session.previous : undefined
      const known = [session?.current.pairId, previous?.pairId].includes(request.from)
      return await inner.rotate(known ? request : { ...request, keyDigest: undefined })
    },
  })),
  broken('a tab that slept and comes second is a thief', [AWAKE], (inner) => ({
    async rotate(request) {
      const session = (await inner.findById(request.sessionId, request.at))?.session
      const comesSecond = session?.previous?.keyDigest === request.keyDigest
      const known = [session?.current.pairId, session?.previous?.pairId].includes(request.from)
      return await inner.rotate(known || !comesSecond ? request : { ...request, keyDigest: undefined })
    },
  })),
  broken('a refresh forgets the network', [NETWORK], (inner) => ({
    rotate: ({ next: { network: _, ...next }, ...request }) => inner.rotate({ ...request, next }),
  })),
  broken('the end of the window is counted in', [REPLAY], (inner) => ({
    rotate: (request) => inner.rotate({ ...request, grace: request.grace + 1 }),
  })),
  broken('there are no previous generations', [ROTATES, SUCCESSOR], (inner) => ({
    async rotate(request) {
      const answer = await inner.rotate(request)
      if (answer.kind !== 'rotated') return answer
      const { previous: _, ...session } = answer.session
      await inner.open(session)
      return { ...answer, session }
    },
  })),
  broken('the successor is kept as it was passed in', [COPIES], (inner) => {
    const kept = new Map<SessionId, Session>()
    return {
      async rotate(request) {
        const answer = await inner.rotate(request)
        if (answer.kind === 'rotated')
          kept.set(request.sessionId, { ...answer.session, current: request.next })
        return answer
      },
      async findById(id, at) {
        const found = await inner.findById(id, at)
        return found && { ...found, session: kept.get(id) ?? found.session }
      },
    }
  }),
]

function movedOn(session: Session, { next, at, grace }: RotationRequest): Session {
  const { pairId, keyDigest } = session.current
  return { ...session, current: next, previous: { pairId, keyDigest, until: at + grace } }
}

async function withoutEnding(inner: Sessions, request: RotationRequest) {
  const found = await inner.findById(request.sessionId, request.at)
  const answer = await inner.rotate(request)
  if (found && answer.kind === 'replayed') await inner.open(found.session)
  return answer
}
