import { DAY } from '../../../src/contracts/samples.js'
import type { RotationRequest } from '../../../src/domain/identity/rotation.js'
import type { ActiveSession, Session } from '../../../src/domain/identity/session.js'
import type { Store } from '../../../src/ports/store.js'
import { also, type Bug, bugsOf, everybodyElse, first, given, gives, only } from './bug.js'

const bug = bugsOf('sessions')

const brokenSessions: readonly Bug[] = [
  bug(
    'the expiry of sessions is ignored',
    /a session ends|a previous key|no refresh|an inactive session/,
    () => ({
      find: given((key) => [key, 0]),
      findById: given((id) => [id, 0]),
      pageOf: given((request) => [{ ...request, at: 0 }]),
    }),
  ),
  bug('a confirmation stores no time', /a confirmation stores/, () => ({
    rotate: given(({ confirmation: _, ...request }) => [request]),
  })),
  bug('a previous generation is dropped on opening', /a session is stored/, () => ({
    open: given(({ previous: _, ...session }) => [session]),
  })),
  bug('keys and ids are compared without regard to case', /an unknown key/, () => ({
    find: given((key, at) => [key.toLowerCase() as never, at]),
    findById: given((id, at) => [id.toLowerCase() as never, at]),
  })),
  bug('a session is returned without the roles of its account', /by its key|unassign take effect/, () => ({
    find: gives((found) => found && { ...found, account: { ...found.account, roles: [] } }),
  })),
  bug('every refresh adds a row', /a thousand|a refreshed session/, ({ sessions }) => ({
    rotate: also(async (answer) => {
      if (answer.kind !== 'rotated') return
      const { id, current } = answer.session
      const label = `${id} ${current.number}` as never
      await sessions.open({ ...answer.session, id: label, current: { ...current, keyDigest: label } })
    }),
  })),
  bug('the client of a login is not stored', /its client and network/, () => ({
    open: given(({ openedBy: _, ...session }) => [session]),
  })),
  bug('the limit allows one session too many', /sessions: openWithLimit/, () => ({
    openWithLimit: given((session, most) => [session, most + 1]),
  })),
  bug(
    'sessions with an actor count toward the limit',
    /sessions with an actor do not count/,
    ({ sessions }) => ({
      openWithLimit: given(async (session, most) => {
        const { accountId, createdAt: at } = session
        const others = await sessions.pageOf({ accountId, limit: 100, at })
        return [session, most - others.filter(({ actor }) => actor).length]
      }),
    }),
  ),
]

const brokenEnds: readonly Bug[] = [
  bug(
    'opening a session ends the other sessions of its account',
    /ends all sessions|a page lists|(?:disabling|remove|reset) ends exactly|endAllOf counts the/,
    ({ sessions }) => ({
      open: first((session) => sessions.endAllOf(session.accountId)),
    }),
  ),
  bug(
    'end reports success and changes nothing',
    /end ends|the stored session|that has ended|rotate returns unknown/,
    () => ({
      end: only('ended'),
    }),
  ),
  bug('purge ignores its limit', /purge stops|purge finds/, () => ({ purge: given((at) => [at, Infinity]) })),
  bug('purge uses the expiry at login', /purge uses|purge removes exactly/, () => ({
    purge: given((at, limit) => [at + 7 * DAY, limit]),
  })),
  bug(
    'endAllOf reports success and changes nothing',
    /endAllOf (?:invalidates|does not count)|a session whose|session of a|race endAllOf|endAllOf ends exactly|effect of endAllOf/,
    () => ({
      endAllOf: only(0),
    }),
  ),
  bug('endAllOf disables the account', /races 16 calls|endAllOf (?:revokes|increases)/, ({ accounts }) => ({
    endAllOf: also((_, id) => accounts.setDisabled(id, 1)),
  })),
  bug('endOne reports success and changes nothing', /sessions: endOne|endOne leave/, () => ({
    endOne: only('ended'),
  })),
  bug('endOthers ends nothing', /endOthers ends|counts only active|race endOthers/, () => ({
    endOthers: only(0),
  })),
]

const brokenActors: readonly Bug[] = [
  bug('an actor gets the latest epoch', /opening a|a session is never/, ({ accounts }) => ({
    open: given(async ({ actor, ...session }) => {
      const owner = actor && (await accounts.find(actor.accountId))
      return [owner ? { ...session, actor: { ...actor, epoch: owner.epoch } } : session]
    }),
  })),
  bug('the roles of the actor are left out', /its actor's roles|a session always/, () => ({
    find: gives(withoutRoles),
    findById: gives(withoutRoles),
  })),
  bug('a repeated refresh returns no actor', /a refresh keeps/, () => ({
    rotate: gives((answer) =>
      answer.kind === 'superseded' ? { ...answer, session: withoutActor(answer.session) } : answer,
    ),
  })),
  bug("a session ends together with the actor's own session", /own session\b/, () => ({
    findById: gives((found, _, at) => (at < (found?.session.actor?.endsAt ?? Infinity) ? found : undefined)),
  })),
]

const brokenRotation: readonly Bug[] = [
  bug('a refresh overwrites concurrent changes', /race a replay|race a logout/, ({ sessions }) => ({
    rotate: also(async (answer) => {
      await everybodyElse()
      if (answer.kind === 'rotated') await sessions.open(answer.session)
    }),
  })),
  bug('a replay does not end the session', /a token from two|a token that/, (store) => ({
    rotate: (call) => async (request) => {
      const found = await storedOf(store, request)
      const answer = await call(request)
      if (found && answer.kind === 'replayed') await store.sessions.open(found)
      return answer
    },
  })),
  bug('the cookie is not compared', /a valid token/, (store) => ({
    rotate: given(async (request) => [
      { ...request, keyDigest: (await storedOf(store, request))?.current.keyDigest },
    ]),
  })),
  bug('a spent token of a suspended tab is a replay', /of any generation/, (store) => ({
    rotate: given(async (request) => {
      const { current, previous } = (await storedOf(store, request)) ?? {}
      const isInWindow = previous?.pairId === request.from && request.at < previous.until
      return [current?.pairId === request.from || isInWindow ? request : { ...request, keyDigest: undefined }]
    }),
  })),
  bug('a refresh does not store the network', /each generation/, () => ({
    rotate: given(({ next: { network: _, ...next }, ...request }) => [{ ...request, next }]),
  })),
  bug(
    'the grace window includes its end',
    /sessions: without|rotate makes|cookie except|current token only/,
    () => ({
      rotate: given((request) => [{ ...request, grace: request.grace + 1 }]),
    }),
  ),
  bug('a refresh keeps the end of an earlier grace window', /rotate makes/, (store) => ({
    rotate: (call) => async (request) => {
      const { until } = (await storedOf(store, request))?.previous ?? {}
      const answer = await call(request)
      if (answer.kind !== 'rotated' || !answer.session.previous || until === undefined) return answer
      const session = { ...answer.session, previous: { ...answer.session.previous, until } }
      await store.sessions.open(session)
      return { ...answer, session }
    },
  })),
  bug('previous generations are not stored', /token gets/, ({ sessions }) => ({
    rotate: gives(async (answer) => {
      if (answer.kind !== 'rotated') return answer
      const { previous: _, ...session } = answer.session
      await sessions.open(session)
      return { ...answer, session }
    }),
  })),
]

export const bugsOfSessions: readonly Bug[] = [
  ...brokenSessions,
  ...brokenEnds,
  ...brokenActors,
  ...brokenRotation,
]

async function storedOf(
  { sessions }: Store,
  { sessionId, at }: RotationRequest,
): Promise<Session | undefined> {
  return (await sessions.findById(sessionId, at))?.session
}

function withoutRoles(found: ActiveSession | undefined): ActiveSession | undefined {
  if (!found) return undefined
  const { actorRoles: _, ...rest } = found
  return rest
}

function withoutActor({ actor: _, ...session }: Session): Session {
  return session
}
