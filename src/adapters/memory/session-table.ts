import type { AccountId } from '../../domain/identity/account.js'
import type { KeyDigest, Session, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { SessionPosition } from '../../ports/sessions.js'
import { createDeadlines } from './deadlines.js'
import { lowerBound } from './ascending.js'

/** Sessions indexed by ID, by the digests of their keys, by account and by actor. */
export type SessionTable = {
  get(id: SessionId): Session | undefined
  /** Looks up a session by its current or previous key, even after the previous key has expired. */
  withKey(keyDigest: KeyDigest): Session | undefined
  ofAccount(accountId: AccountId): readonly Session[]
  /** Returns the impersonation sessions with this account as the actor. */
  ofActor(accountId: AccountId): readonly Session[]
  /** Iterates over the account's sessions after the given position, ordered by `createdAt` and `id`. */
  following(accountId: AccountId, after: SessionPosition | undefined): Iterable<Session>
  put(session: Session): void
  remove(session: Session): void
  /** Removes at most `limit` expired sessions and returns the number of removed sessions. */
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
