import type { Account, AccountId } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { AccountSearch } from '../../ports/accounts.js'
import { createAscending, lowerBound, type Ascending, createDeadlines } from './collections.js'
import type { KeyDigest, Session, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { SessionPosition } from '../../ports/sessions.js'

/** Accounts indexed by ID and by email, with sorted lists of emails for `search`. */
export type AccountTable = Ascending<AccountId, Account> & {
  withEmail(email: Email): Account | undefined
  search(search: AccountSearch): Account[]
}

export function createAccountTable(): AccountTable {
  const rows = createAscending<AccountId, Account>()
  const ids = new Map<Email, AccountId>()
  /** Lists of emails, keyed by list name; each list is sorted by code unit. */
  const lists = new Map<string, Email[]>()

  function withEmail(email: Email): Account | undefined {
    const id = ids.get(email)
    return id === undefined ? undefined : rows.get(id)
  }

  function listOf(name: string): Email[] {
    const list = lists.get(name) ?? []
    lists.set(name, list)
    return list
  }

  /** Removes an email from the lists that are only in `before`, and adds it to the lists that are only in `after`. */
  function moveEmail(email: Email, before: readonly string[], after: readonly string[]): void {
    for (const list of before.filter((name) => !after.includes(name)).map(listOf))
      list.splice(indexOf(list, email), 1)
    for (const list of after.filter((name) => !before.includes(name)).map(listOf))
      list.splice(indexOf(list, email), 0, email)
  }

  return {
    ...rows,
    withEmail,
    add(make) {
      const id = rows.add(make)
      const account = rows.get(id) as Account
      ids.set(account.email, id)
      moveEmail(account.email, [], listsOf(account))
      return id
    },
    replace(id, account) {
      const before = rows.get(id)
      rows.replace(id, account)
      if (before && before.email !== account.email) {
        ids.delete(before.email)
        ids.set(account.email, id)
        moveEmail(before.email, listsOf(before), [])
        moveEmail(account.email, [], listsOf(account))
        return
      }
      const hasSameLists = before?.roles === account.roles && before.disabledAt === account.disabledAt
      if (before && !hasSameLists) moveEmail(account.email, listsOf(before), listsOf(account))
    },
    delete(id) {
      const account = rows.get(id)
      if (!account) return false
      ids.delete(account.email)
      moveEmail(account.email, listsOf(account), [])
      return rows.delete(id)
    },
    search({ start = '', role = '', onlyDisabled = false, after = '', limit }) {
      const list = listOf(listName(role, onlyDisabled))
      const first = indexOf(list, after > start ? after : start)
      const found = list.slice(first, first + limit + 1).filter((email) => email !== after)
      const emails = found.filter((email) => email.startsWith(start)).slice(0, limit)
      return emails.flatMap((email) => withEmail(email) ?? [])
    },
  }
}

function indexOf(list: readonly Email[], text: string): number {
  return lowerBound(list, (one) => one >= text)
}

/** Returns the names of the lists that contain the account; a disabled account is also in the lists of disabled accounts. */
function listsOf({ roles, disabledAt }: Account): string[] {
  const names = ['', ...roles.map(({ key }) => key)]
  const enabled = names.map((role) => listName(role, false))
  return disabledAt === undefined ? enabled : [...enabled, ...names.map((role) => listName(role, true))]
}

function listName(role: string, onlyDisabled: boolean): string {
  return onlyDisabled ? `${role} disabled` : role
}

/** Sessions indexed by ID, by the digests of their keys, by account and by actor. */
export type SessionTable = {
  get(id: SessionId): Session | undefined
  /** Looks up a session by its current or previous key, even after the previous key has expired. */
  withKey(keyDigest: KeyDigest): Session | undefined
  ofAccount(accountId: AccountId): readonly Session[]
  ofActor(accountId: AccountId): readonly Session[]
  following(accountId: AccountId, after: SessionPosition | undefined): Iterable<Session>
  put(session: Session): void
  remove(session: Session): void
  purge(at: Instant, limit: number): number
}

export function createSessionTable(): SessionTable {
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
    get: (id) => rows.get(id),
    withKey: (keyDigest) => byKey.get(keyDigest),
    ofAccount: (accountId) => [...(byAccount.get(accountId) ?? [])],
    ofActor: (accountId) => [...(byActor.get(accountId) ?? [])].flatMap((id) => rows.get(id) ?? []),
    following: sessionsAfter,
    put(session) {
      const before = rows.get(session.id)
      if (before) remove(before)
      add(session)
    },
    remove,
    purge(at, limit) {
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
