import type { AccountId } from '../../domain/identity/account.js'
import type { KeyDigest, Session, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { createDeadlines } from './deadlines.js'

/** The rows of the sessions and the three ways to them: id, digest of a key, account. */
export type SessionTable = {
  get(id: SessionId): Session | undefined
  /** By the current key or the previous one, whether its window is open or not. */
  withKey(keyDigest: KeyDigest): Session | undefined
  ofAccount(accountId: AccountId): readonly Session[]
  /** Stores the session in the place of the one with its id. */
  put(session: Session): void
  remove(session: Session): void
  /** Sessions past one of their ends, at most `limit`; the cost is theirs, not the table's. */
  over(at: Instant, limit: number): readonly Session[]
}

export function createSessionTable(): SessionTable {
  const rows = new Map<SessionId, Session>()
  const byKey = new Map<KeyDigest, Session>()
  const byAccount = new Map<AccountId, Set<SessionId>>()
  const ends = createDeadlines<SessionId>()

  function enter(session: Session): void {
    rows.set(session.id, session)
    if (session.previous) byKey.set(session.previous.keyDigest, session)
    byKey.set(session.current.keyDigest, session)
    const siblings = byAccount.get(session.accountId)
    if (siblings) siblings.add(session.id)
    else byAccount.set(session.accountId, new Set([session.id]))
    ends.set(session.id, Math.min(session.endsAt, session.current.idleEndsAt))
  }

  function remove(session: Session): void {
    rows.delete(session.id)
    if (session.previous) byKey.delete(session.previous.keyDigest)
    byKey.delete(session.current.keyDigest)
    const siblings = byAccount.get(session.accountId)
    siblings?.delete(session.id)
    if (siblings?.size === 0) byAccount.delete(session.accountId)
    ends.delete(session.id)
  }

  function present(ids: Iterable<SessionId>): Session[] {
    return [...ids].flatMap((id) => rows.get(id) ?? [])
  }

  return {
    get: (id) => rows.get(id),
    withKey: (keyDigest) => byKey.get(keyDigest),
    ofAccount: (accountId) => present(byAccount.get(accountId) ?? []),
    put(session) {
      const before = rows.get(session.id)
      if (before) remove(before)
      enter(session)
    },
    remove,
    over: (at, limit) => present(ends.takeOver(at, limit)),
  }
}
