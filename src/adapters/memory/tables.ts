import type { Account, AccountId } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { AccountSearch } from '../../ports/accounts.js'
import { createAscending, createDeadlines, lowerBound } from './collections.js'
import type { KeyDigest, Session, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { SessionPosition } from '../../ports/sessions.js'

/** Creates a table of accounts indexed by ID and by email. */
export function createAccountTable() {
  const rows = createAscending<AccountId, Account>()
  const ids = new Map<Email, AccountId>()

  return {
    ...rows,
    withEmail: (email: Email): Account | undefined => {
      const id = ids.get(email)
      return id === undefined ? undefined : rows.get(id)
    },
    add: (make: (id: AccountId) => Account): AccountId => {
      const id = rows.add(make)
      ids.set((rows.get(id) as Account).email, id)
      return id
    },
    replace: (id: AccountId, account: Account): void => {
      const before = rows.get(id)
      if (before) ids.delete(before.email)
      ids.set(account.email, id)
      rows.replace(id, account)
    },
    delete: (id: AccountId): boolean => {
      const account = rows.get(id)
      if (account) ids.delete(account.email)
      return rows.delete(id)
    },
    search: ({ start, role, onlyDisabled = false, after, limit }: AccountSearch): Account[] =>
      [...rows.all()]
        .filter(({ email }) => email.startsWith(start ?? '') && (after === undefined || email > after))
        .filter(({ roles }) => role === undefined || roles.some(({ key }) => key === role))
        .filter(({ disabledAt }) => !onlyDisabled || disabledAt !== undefined)
        .sort((one, other) => (one.email < other.email ? -1 : 1))
        .slice(0, limit),
  }
}

/** Creates a table of sessions indexed by ID, by the digests of their keys, by account and by actor. */
export function createSessionTable() {
  const rows = createDeadlines<SessionId, Session>()
  const byKey = new Map<KeyDigest, Session>()
  const byAccount = new Map<AccountId, Session[]>()
  const byActor = new Map<AccountId, Set<SessionId>>()

  function add(session: Session): void {
    rows.set(session.id, Math.min(session.endsAt, session.current.idleEndsAt), session)
    if (session.previous) byKey.set(session.previous.keyDigest, session)
    byKey.set(session.current.keyDigest, session)
    const siblings = byAccount.get(session.accountId)
    if (siblings) siblings.splice(indexAfter(siblings, session), 0, session)
    else byAccount.set(session.accountId, [session])
    const actor = session.actor?.accountId
    if (actor !== undefined) byActor.set(actor, (byActor.get(actor) ?? new Set()).add(session.id))
  }

  function remove(session: Session): void {
    rows.delete(session.id)
    if (session.previous) byKey.delete(session.previous.keyDigest)
    byKey.delete(session.current.keyDigest)
    const siblings = byAccount.get(session.accountId) ?? []
    const index = indexAfter(siblings, session) - 1
    if (siblings[index] === session) siblings.splice(index, 1)
    if (siblings.length === 0) byAccount.delete(session.accountId)
    const acting = session.actor && byActor.get(session.actor.accountId)
    if (session.actor && acting?.delete(session.id) && acting.size === 0)
      byActor.delete(session.actor.accountId)
  }

  function* sessionsAfter(accountId: AccountId, after: SessionPosition | undefined): Iterable<Session> {
    const siblings = byAccount.get(accountId) ?? []
    const start = after === undefined ? 0 : indexAfter(siblings, after)
    for (let index = start; index < siblings.length; index += 1) yield siblings[index] as Session
  }

  return {
    get: rows.get,
    /** Looks up a session by its current or previous key, even after the previous key has expired. */
    withKey: (keyDigest: KeyDigest) => byKey.get(keyDigest),
    ofAccount: (accountId: AccountId): readonly Session[] => [...(byAccount.get(accountId) ?? [])],
    ofActor: (accountId: AccountId): readonly Session[] =>
      [...(byActor.get(accountId) ?? [])].flatMap((id) => rows.get(id) ?? []),
    following: sessionsAfter,
    put: (session: Session): void => {
      const before = rows.get(session.id)
      if (before) remove(before)
      add(session)
    },
    remove,
    purge: (at: Instant, limit: number): number => {
      const expired = rows.takeOver(at, limit)
      for (const session of expired) remove(session)
      return expired.length
    },
  }
}

function indexAfter(sessions: readonly Session[], { createdAt, id }: SessionPosition): number {
  return lowerBound(
    sessions,
    (one) => one.createdAt > createdAt || (one.createdAt === createdAt && one.id > id),
  )
}
