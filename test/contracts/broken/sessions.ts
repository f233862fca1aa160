import type { Account } from '../../../src/domain/identity/account.js'
import type { KeyDigest, Session, SessionId } from '../../../src/domain/identity/session.js'
import { breakageOf, everybodyElse, type Breakage, COPIES } from './breakage.js'
import type { Sessions, SessionPageRequest } from '../../../src/ports/sessions.js'

const broken = breakageOf('sessions')
const GENERATION = 'a session that has a previous generation is kept with it'
const EARLIER_EPOCH = 'a session that is opened with an earlier epoch is never active'
const NOTHING = 'a key or id of no session finds nothing'
const LISTED_RACE = 'of 16 logins at once none is missing from the page'
const IDLE_END = 'a session lives strictly before its idle end'
const ABSOLUTE_END = 'a session lives strictly before its absolute end'
const WINDOW = 'a previous key is good strictly before the end of its window'
const OUTLIVES = 'a previous key outlives no end of its session'
const PAST = 'a session past its end is unknown before its token is judged'
const MOVES_NO_END = 'no refresh moves the absolute end'
const FOUND = 'a session is found by its key and by its id, with account and roles'
const ROLES = 'roles: assign and unassign take effect at the next read of a session'
const LATER = 7 * 24 * 60 * 60 * 1_000
const ORIGIN = 'a session tells where its login came from, as far as that is known, after a refresh too'
const DEAD =
  'of a session that its account or its actor does not let be active when it is opened nothing is kept'
const OLDEST = 'openWithLimit opens the session, and ends the oldest of those that are too many'
const NEVER = 'openWithLimit never ends the session that it opens, also where its clock is behind'
const PLACES = 'what has ended and what has an actor takes no place of the limit'
const RACE = 'however many are opened with a limit at once, as many as may be are active when all are done'
const ORDER = 'a page gives the active sessions of the account by the time of their login, then by id'
const WALK = 'pages walk over all active sessions, also of one moment'
const GOES_ON = 'a page goes on after a session that has ended meanwhile'
const INACTIVE = 'what is not active is on no page and takes no place on one'
const ENDS = 'a session is on pages strictly before its ends'
const ACCOUNT = 'an account that is disabled, removed or unknown has empty pages'
const REFRESHED = 'a refreshed session keeps its place and shows its active generation'

export const brokenSessions: readonly Breakage[] = [
  broken('ends are not looked at', [IDLE_END, ABSOLUTE_END, WINDOW, OUTLIVES], (inner) => ({
    find: (key) => inner.find(key, 0),
    findById: (id) => inner.findById(id, 0),
  })),
  broken('refresh does not look at the ends', [PAST, ABSOLUTE_END, MOVES_NO_END], (inner, { accounts }) => ({
    async rotate(request) {
      const found = await inner.findById(request.sessionId, 0)
      const account = found && (await accounts.find(found.account.id))
      const endless = found && { ...found.session, endsAt: request.at + LATER }
      if (endless && account)
        await inner.open({ ...endless, current: { ...endless.current, idleEndsAt: request.at + 1 } })
      return await inner.rotate(request)
    },
  })),
  broken('a previous generation is dropped on opening', [GENERATION], (inner) => ({
    open: ({ previous: _, ...session }) => inner.open(session),
  })),
  broken('the epoch is taken from the account on opening', [EARLIER_EPOCH], (inner, { accounts }) => ({
    async open(session) {
      const account = await accounts.find(session.accountId)
      await inner.open({ ...session, epoch: account?.epoch ?? session.epoch })
    },
  })),
  broken('keys and ids are compared without regard to case', [NOTHING], (inner) => ({
    find: (key, at) => inner.find(key.toLowerCase() as KeyDigest, at),
    findById: (id, at) => inner.findById(id.toLowerCase() as SessionId, at),
  })),
  broken('the account is read once, on opening', [FOUND, ROLES], (inner, { accounts }) => {
    const snapshots = new Map<SessionId, Account>()
    return {
      async open(session) {
        const account = await accounts.find(session.accountId)
        if (account) snapshots.set(session.id, { ...account, roles: [] })
        await inner.open(session)
      },
      async find(key, at) {
        const found = await inner.find(key, at)
        return found && { ...found, account: snapshots.get(found.session.id) ?? found.account }
      },
    }
  }),
  broken('every refresh leaves a row', ['a thousand refreshes leave one session'], (inner) => ({
    async rotate(request) {
      const answer = await inner.rotate(request)
      if (answer.kind === 'rotated') await inner.open(ghostOf(answer.session))
      return answer
    },
  })),
  broken('a session is kept as it was passed in', [COPIES], (inner) => {
    const kept = new Map<SessionId, Session>()
    return {
      async open(session) {
        kept.set(session.id, session)
        await inner.open(session)
      },
      async findById(id, at) {
        const found = await inner.findById(id, at)
        return found && { ...found, session: kept.get(id) ?? found.session }
      },
    }
  }),
  broken('where a login came from is not kept', [ORIGIN], (inner) => ({
    open: ({ openedBy: _, ...session }) => inner.open(session),
  })),
  broken('what is opened is kept, whatever has become of its account', [DEAD], (inner) =>
    keepingDead(inner, 'open'),
  ),
  broken('the limit is one too many', [OLDEST, NEVER], (inner) => ({
    openWithLimit: (session, most) => inner.openWithLimit(session, most + 1),
  })),
  broken('those with an actor take a place', [PLACES], (inner) => ({
    async openWithLimit(session, most) {
      const { accountId, createdAt: at } = session
      const others = await inner.pageOf({ accountId, limit: 100, at })
      await inner.open(session)
      return await endAll(inner, others.slice(0, Math.max(0, others.length + 1 - most)))
    },
  })),
  broken('of those that are opened at once each ends all others', [RACE], (inner) => ({
    async openWithLimit(session, most) {
      await inner.open(session)
      await everybodyElse()
      const others = (await othersOf(inner, session)).filter(({ id }) => id !== session.id)
      return await endAll(inner, others.slice(0, Math.max(0, others.length + 1 - most)))
    },
  })),
  broken('the limit looks, then opens', [RACE], (inner) => ({
    async openWithLimit(session, most) {
      const others = await othersOf(inner, session)
      await everybodyElse()
      await inner.open(session)
      return await endAll(inner, others.slice(0, Math.max(0, others.length + 1 - most)))
    },
  })),
  broken('pages have the latest login first', [ORDER, WALK], (inner) => ({
    pageOf: async (request) => (await inner.pageOf(request)).toReversed(),
  })),
  broken('pages come from a list of logins', [GOES_ON, INACTIVE, ENDS, ACCOUNT, REFRESHED], (inner) => {
    const opened: Session[] = []
    return {
      async open(session) {
        opened.push(session)
        await inner.open(session)
      },
      pageOf: async (request) => {
        const rows = opened.filter(({ accountId }) => accountId === request.accountId)
        return cut(structuredClone(rows), request)
      },
    }
  }),
  broken('the list of an account is read, then written', [LISTED_RACE], (inner) => {
    let listed: readonly SessionId[] = []
    return {
      async open(session) {
        const before = listed
        await everybodyElse()
        listed = [...before, session.id]
        await inner.open(session)
      },
      pageOf: async (request) => (await inner.pageOf(request)).filter(({ id }) => listed.includes(id)),
    }
  }),
]

function ghostOf(session: Session): Session {
  const label = `${session.id} ${session.current.number}`
  const current = { ...session.current, keyDigest: label as KeyDigest }
  return { ...session, id: label as SessionId, current }
}

/** Counts what is not kept among what a purge removes, as if it had been. */
function keepingDead(inner: Sessions, call: 'open' | 'openWithLimit'): Partial<Sessions> {
  let dead = 0
  async function opening<Answer>({ id, createdAt }: Session, open: () => Promise<Answer>): Promise<Answer> {
    const answer = await open()
    if (!(await inner.findById(id, createdAt))) dead += 1
    return answer
  }
  return {
    purge: async (...given) => (await inner.purge(...given)) + dead,
    ...(call === 'open'
      ? { open: (session) => opening(session, () => inner.open(session)) }
      : { openWithLimit: (session, most) => opening(session, () => inner.openWithLimit(session, most)) }),
  }
}

async function othersOf(
  sessions: Sessions,
  { accountId, createdAt: at }: Session,
): Promise<readonly Session[]> {
  return (await sessions.pageOf({ accountId, limit: 100, at })).filter(({ actor }) => !actor)
}

async function endAll(sessions: Sessions, these: readonly Session[]): Promise<number> {
  for (const { id } of these) await sessions.end(id)
  return these.length
}

/** From behind the session with the id, from the beginning where there is none. */
function cut(sessions: readonly Session[], { after, limit }: SessionPageRequest): readonly Session[] {
  const start = sessions.findIndex(({ id }) => id === after?.id) + 1
  return sessions.slice(start, start + limit)
}
