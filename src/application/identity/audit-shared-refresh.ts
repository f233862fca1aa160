import { rateLimitKey } from '../../domain/identity/rate-limit-key.js'
import type { ActiveSession } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { AttemptLimiter } from '../../ports/attempt-limiter.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { ClientContext } from '../client-context.js'
import { identityOf } from './identity-of.js'

const ONCE_A_MINUTE = { count: 1, window: 60_000 }

type Parts = { readonly attempts: AttemptLimiter; readonly audit: AuditTrail }

/**
 * Audits that a client got a session's current pair again from another address network than the last refresh: a laptop
 * on the move, or a thief. At most once a minute for each session, across all processes. `active` has the session as
 * the refresh found it.
 */
export async function auditSharedRefresh(
  { attempts, audit }: Parts,
  active: ActiveSession,
  { client, at }: { readonly client: ClientContext | undefined; readonly at: Instant },
): Promise<void> {
  const { session, account } = active
  const [last, now] = [session.current.network, rateLimitKey(client?.address)]
  if (last === undefined || now === undefined || last === now) return
  const name = `refresh shared ${session.id}`
  const { kind } = await attempts.take([{ name, limit: ONCE_A_MINUTE }], at)
  if (kind === 'refused') return
  await audit.record({ event: 'refresh.shared', caller: identityOf(active), subject: account.id, client })
}
