// Ends all sessions of an account, or its oldest sessions above the limit.
import type { Session } from '../../domain/identity/session.js'
import type { Sessions } from '../../ports/sessions.js'
import type { SyncPort } from '../../application/wrap-port.js'
import { openWhere } from '../sql/session-queries.js'
import type { Database } from './database.js'

/** Selects the oldest active sessions of the account that exceed the permitted number, excluding the new session and impersonations. */
const TOO_MANY = `
  SELECT s.rowid
  FROM accounts AS a CROSS JOIN sessions AS s ON s.account_id = a.id
  WHERE a.id = ? AND a.disabled_at IS NULL AND a.epoch = s.epoch AND s.actor_id IS NULL
    AND s.id <> ? AND min(s.ends_at, s.idle_ends_at) > ?
  ORDER BY s.created_at DESC, s.id DESC LIMIT -1 OFFSET ?`

type SessionEnds = Pick<SyncPort<Sessions>, 'end' | 'endOne' | 'endOthers' | 'endAllOf'> & {
  endTooMany(opened: Session, most: number): number
}

/** Prepares statements for a transaction that holds the write lock, so that they do not end sessions that are opened later. */
export function prepareSessionEnds(prepare: Database['prepare']): SessionEnds {
  const end = prepare('DELETE FROM sessions WHERE id = ?')
  const endOne = prepare('DELETE FROM sessions WHERE id = ? AND account_id = ?')
  const removeTooMany = prepare(`DELETE FROM sessions WHERE rowid IN (${TOO_MANY})`)
  const others = ['s.account_id = ? AND s.id <> ?', 's.actor_id = ? AND s.id <> ?'].map((condition) => ({
    count: prepare<readonly [number]>(
      openWhere('CROSS JOIN', 'count(*)', `${condition} AND min(s.ends_at, s.idle_ends_at) > ?`),
    ),
    remove: prepare(`DELETE FROM sessions AS s WHERE ${condition}`),
  }))
  // The query checks that the sessions are active, because rows of ended sessions may still exist.
  const countOpen = prepare<readonly [number]>(openWhere('CROSS JOIN', 'count(*)', 's.account_id = ?'))
  const bumpEpoch = prepare('UPDATE accounts SET epoch = epoch + 1 WHERE id = ?')
  const removeAllOf = prepare('DELETE FROM sessions WHERE account_id = ?')
  return {
    end: (id) => (end.run(id).changes === 1 ? 'ended' : 'unknown'),
    endOne: (accountId, id) => (endOne.run(id, accountId).changes === 1 ? 'ended' : 'unknown'),
    endTooMany: ({ accountId, id, createdAt }, most) =>
      removeTooMany.run(accountId, id, createdAt, most - 1).changes,
    endOthers: (accountId, keep, at) =>
      others.reduce((sum, { count, remove }) => {
        const active = count.get(accountId, keep, at)?.[0] ?? 0
        remove.run(accountId, keep)
        return sum + active
      }, 0),
    endAllOf: (accountId) => {
      const ended = countOpen.get(accountId)?.[0] ?? 0
      if (bumpEpoch.run(accountId).changes === 0) return undefined
      removeAllOf.run(accountId)
      return ended
    },
  }
}
