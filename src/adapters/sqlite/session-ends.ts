import type { AccountId } from '../../domain/identity/account.js'
import type { Session, SessionId } from '../../domain/identity/session.js'
import type { Sessions } from '../../ports/sessions.js'
import type { Database } from './database.js'

/** A condition on a session that every one without an actor meets at once. */
export const ACTOR_ACTIVE = `(s.actor_id IS NULL OR EXISTS (
      SELECT 1 FROM accounts AS b
      WHERE b.id = s.actor_id AND b.disabled_at IS NULL AND b.epoch = s.actor_epoch
    ))`

/** Those that meet the condition and whose account and actor let them live. */
export function openWhere(columns: string, condition: string): string {
  return `
    SELECT ${columns}
    FROM sessions AS s CROSS JOIN accounts AS a ON a.id = s.account_id
    WHERE ${condition} AND a.disabled_at IS NULL AND a.epoch = s.epoch AND ${ACTOR_ACTIVE}`
}

/** Of one account: rows of sessions that something else has ended may still be there. */
const COUNT_OPEN = openWhere('count(*)', 's.account_id = ?')

/** Of the account's own that are active at an instant, but one, beyond as many as may stay beside it: the oldest. */
const TOO_MANY = `
  SELECT s.rowid
  FROM accounts AS a CROSS JOIN sessions AS s ON s.account_id = a.id
  WHERE a.id = ? AND a.disabled_at IS NULL AND a.epoch = s.epoch AND s.actor_id IS NULL
    AND s.id <> ? AND min(s.ends_at, s.idle_ends_at) > ?
  ORDER BY s.created_at DESC, s.id DESC LIMIT -1 OFFSET ?`

/** Of an account, and of one that acts, but one. */
const OTHERS = ['s.account_id = ? AND s.id <> ?', 's.actor_id = ? AND s.id <> ?'] as const

/**
 * Inside a transaction that holds the write lock, so that no session that begins after it is among those that end;
 * `endTooMany` in the one that has opened the session.
 */
export function prepareSessionEnds(prepare: Database['prepare']) {
  const end = prepare('DELETE FROM sessions WHERE id = ?')
  const endOne = prepare('DELETE FROM sessions WHERE id = ? AND account_id = ?')
  return {
    end: (id: SessionId) => end.run(id).changes === 1,
    endOne: (id: SessionId, accountId: AccountId) => endOne.run(id, accountId).changes === 1,
    endTooMany: prepareEndTooMany(prepare),
    endOthers: prepareEndOthers(prepare),
    endAllOf: prepareEndAllOf(prepare),
  }
}

function prepareEndTooMany(prepare: Database['prepare']): (opened: Session, most: number) => number {
  const remove = prepare(`DELETE FROM sessions WHERE rowid IN (${TOO_MANY})`)
  return ({ accountId, id, createdAt }, most) => remove.run(accountId, id, createdAt, most - 1).changes
}

function prepareEndOthers(
  prepare: Database['prepare'],
): (...others: Parameters<Sessions['endOthers']>) => number {
  const parts = OTHERS.map((condition) => ({
    count: prepare<readonly [count: number]>(
      openWhere('count(*)', `${condition} AND min(s.ends_at, s.idle_ends_at) > ?`),
    ),
    remove: prepare(`DELETE FROM sessions AS s WHERE ${condition}`),
  }))
  return (accountId, keep, at) =>
    parts.reduce((sum, { count, remove }) => {
      const active = count.get(accountId, keep, at)?.[0] ?? 0
      remove.run(accountId, keep)
      return sum + active
    }, 0)
}

function prepareEndAllOf(prepare: Database['prepare']): (accountId: AccountId) => number | undefined {
  const countOpen = prepare<readonly [count: number]>(COUNT_OPEN)
  const bumpEpoch = prepare('UPDATE accounts SET epoch = epoch + 1 WHERE id = ?')
  const removeAllOf = prepare('DELETE FROM sessions WHERE account_id = ?')
  return (accountId) => {
    const ended = countOpen.get(accountId)?.[0] ?? 0
    if (bumpEpoch.run(accountId).changes === 0) return undefined
    removeAllOf.run(accountId)
    return ended
  }
}
