import type { Account } from '../../../src/domain/identity/account.js'
import type { Actor, ActiveSession, Session, SessionId } from '../../../src/domain/identity/session.js'
import type { Accounts } from '../../../src/ports/accounts.js'
import type { Sessions } from '../../../src/ports/sessions.js'
import type { Store } from '../../../src/ports/store.js'
import { breakageOf, breakageOfStore, everybodyElse, type Breakage } from './breakage.js'

const broken = breakageOf('sessions')
const KEPT = 'sessions: a session with an actor is kept with it, and one without has none'
const REFRESHED = 'sessions: a refresh leaves the actor as it is'
const COPIES = 'sessions: changing an actor that was passed in or handed out changes nothing in the store'
const OWN_END = 'sessions: the end of the own login of an actor is not that of the session'
const PASSWORD = 'sessions: another password of the actor ends the sessions in which it acts and no other'
const OWN_CHANGE = 'sessions: changePassword of the actor ends the sessions in which it acts and no other'
const DISABLING = 'sessions: disabling the actor ends the sessions in which it acts and no other'
const ENABLING = 'sessions: enabling the actor wakes no session in which it acted'
const EPOCH = 'sessions: endAllOf of the actor ends the sessions in which it acts and no other'
const REMOVAL = 'sessions: removing the actor ends the sessions in which it acts and no other'
const STAYS = 'sessions: what moves no epoch of the actor ends no session in which it acts'
const OPENED =
  'sessions: a session that is opened with an actor who is disabled, gone or of another epoch is never active'
const PAGE = 'sessions: a session whose actor has gone is on no page and takes no place on one'
const REFRESHES = 'sessions: refreshes that race a password change of the actor leave nothing active'
const OPENINGS = 'sessions: impersonations that race the removal of their actor leave nothing active'
const ROLES_NOW =
  'sessions: a session with an actor comes with the roles that its actor has at the moment, apart from those of the account'
const ROLES_OWN =
  'sessions: each session comes with the roles of its own actor, and one without an actor with none'
const ROLES_COPIES =
  'sessions: changing the roles of an actor that were handed out changes nothing in the store'
const ROLES = [ROLES_NOW, ROLES_OWN, ROLES_COPIES]
const ENDS = [PASSWORD, OWN_CHANGE, DISABLING, ENABLING, EPOCH, REMOVAL]
const NOT_ACTIVE = [...ENDS, OPENED, REFRESHES, OPENINGS]

export const brokenSessionActors: readonly Breakage[] = [
  broken('actors are dropped on opening', [...NOT_ACTIVE, KEPT, REFRESHED, COPIES, PAGE], (inner) => ({
    open: ({ actor: _, ...session }) => inner.open(session),
  })),
  broken('the roles of the actor are left out', [KEPT, ...ROLES], (inner) => ({
    find: async (key, at) => withoutRoles(await inner.find(key, at)),
    findById: async (id, at) => withoutRoles(await inner.findById(id, at)),
  })),
  broken('a second refresh hands out no actor', [REFRESHED], (inner) => ({
    async rotate(request) {
      const answer = await inner.rotate(request)
      return answer.kind === 'superseded' ? { ...answer, session: withoutActor(answer.session) } : answer
    },
  })),
  broken('pages leave the actor out', [KEPT, COPIES], (inner) => ({
    pageOf: async (request) => (await inner.pageOf(request)).map(withoutActor),
  })),
  broken(
    'the epoch of the actor is not looked at, its lock is',
    [PASSWORD, OWN_CHANGE, ENABLING, EPOCH, OPENED, PAGE, REFRESHES],
    (inner, { accounts }) => {
      return withActors(inner, accounts, async ({ accountId }) => {
        const account = await accounts.find(accountId)
        return account !== undefined && account.disabledAt === undefined
      })
    },
  ),
  broken('an actor who is gone acts on', [REMOVAL, OPENED, OPENINGS], (inner, { accounts }) =>
    withActors(inner, accounts, async ({ accountId, epoch }) => {
      const account = await accounts.find(accountId)
      return !account || (account.disabledAt === undefined && account.epoch === epoch)
    }),
  ),
  broken('the session ends with the own login of its actor', [OWN_END], (inner) => ({
    async findById(id, at) {
      const found = await inner.findById(id, at)
      return at < (found?.session.actor?.endsAt ?? Infinity) ? found : undefined
    },
  })),
  breakageOfStore(
    'the sessions of an actor are listed, then ended, and a refresh writes back what it read',
    [OPENED, REFRESHES, OPENINGS],
    (store) => {
      const listed = new Map<SessionId, Session['actor']>()
      const lax = withActors(store.sessions, store.accounts, async () => true)
      const sessions: Sessions = {
        ...store.sessions,
        ...lax,
        async open(session) {
          await lax.open(session)
          await everybodyElse()
          listed.set(session.id, session.actor)
        },
        async rotate(request) {
          const answer = await lax.rotate(request)
          if (answer.kind !== 'rotated' || !answer.session.actor) return answer
          await everybodyElse()
          await lax.open(answer.session)
          return answer
        },
      }
      const ending = endingWith(store, async (id) => {
        for (const [sessionId, actor] of listed)
          if (actor?.accountId === id) await store.sessions.end(sessionId)
      })
      return { ...ending, sessions: { ...sessions, endAllOf: (id) => ending.sessions.endAllOf(id) } }
    },
  ),
  breakageOfStore('a hash made anew ends the sessions in which its owner acts', [STAYS], (store) => {
    const opened: Session[] = []
    return {
      accounts: {
        ...store.accounts,
        async replaceHash(id, expected, next) {
          const acting = opened.filter(({ actor }) => actor?.accountId === id)
          for (const session of acting) await store.sessions.end(session.id)
          return await store.accounts.replaceHash(id, expected, next)
        },
      },
      sessions: {
        ...store.sessions,
        async open(session) {
          opened.push(session)
          await store.sessions.open(session)
        },
      },
    }
  }),
]

type Reading = Pick<Sessions, 'open' | 'find' | 'findById' | 'pageOf' | 'rotate'>

/** Keeps the actors beside the sessions. A session with an actor is active while `letsLive` says so. */
function withActors(
  inner: Sessions,
  accounts: Accounts,
  letsLive: (actor: Actor) => Promise<boolean>,
): Reading {
  const actors = new Map<SessionId, Actor>()
  const isActive = async (id: SessionId) => {
    const actor = actors.get(id)
    return !actor || (await letsLive(actor))
  }
  const shown = (session: Session): Session => {
    const actor = actors.get(session.id)
    return actor ? { ...session, actor: { ...actor } } : session
  }
  const active = async (found: ActiveSession | undefined) => {
    if (!found || !(await isActive(found.session.id))) return undefined
    const session = shown(found.session)
    if (!session.actor) return { ...found, session }
    const actorRoles = (await accounts.find(session.actor.accountId))?.roles ?? []
    return { ...found, session, actorRoles }
  }
  return {
    async open({ actor, ...session }) {
      if (actor) actors.set(session.id, { ...actor })
      await inner.open(session)
    },
    find: async (key, at) => await active(await inner.find(key, at)),
    findById: async (id, at) => await active(await inner.findById(id, at)),
    async pageOf(request) {
      const page: Session[] = []
      for (const session of await inner.pageOf({ ...request, limit: 1_000 })) {
        if (page.length < request.limit && (await isActive(session.id))) page.push(shown(session))
      }
      return page
    },
    async rotate(request) {
      if (!(await isActive(request.sessionId))) return { kind: 'unknown' }
      const answer = await inner.rotate(request)
      return 'session' in answer ? { ...answer, session: shown(answer.session) } : answer
    },
  }
}

function withoutRoles(found: ActiveSession | undefined): ActiveSession | undefined {
  if (!found) return undefined
  const { actorRoles: _, ...rest } = found
  return rest
}

/** Everything that moves the epoch of an account or takes it away ends more than it should. */
function endingWith(
  { accounts, sessions }: Store,
  end: (id: Account['id']) => Promise<void>,
): Pick<Store, 'accounts' | 'sessions'> {
  const after = async <Answer>(id: Account['id'], answer: Promise<Answer>) => {
    if ((await answer) !== 'unchanged') await end(id)
    return await answer
  }
  return {
    accounts: {
      ...accounts,
      setPassword: (id, hash) => after(id, accounts.setPassword(id, hash)),
      changePassword: (change) => after(change.id, accounts.changePassword(change)),
      setDisabled: (id, at) => after(id, accounts.setDisabled(id, at)),
      remove: (id) => after(id, accounts.remove(id)),
    },
    sessions: { ...sessions, endAllOf: (id) => after(id, sessions.endAllOf(id)) },
  }
}

function withoutActor({ actor: _, ...session }: Session): Session {
  return session
}
