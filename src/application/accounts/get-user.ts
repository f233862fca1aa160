import { defined } from '../../domain/plain-data.js'
import type { Account } from '../../domain/identity/account.js'
import type { Session } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { AuditLog } from '../../ports/audit-log.js'
import { fields, text } from '../fields.js'
import { operation } from '../operation.js'
import { summaryOf, type UserSummary } from './list-users.js'
import { namedAccount } from './named-account.js'

/** The public view of one account, without hash, epoch or session keys. */
export type UserDetails = UserSummary & {
  readonly sessions: {
    /** The number of active sessions, counted up to 100. */
    readonly active: number
    readonly more: boolean
  }
  readonly secondFactor: boolean
  /** The time of the last login, if known: from the newest 500 logins in the audit log, otherwise from the active sessions. */
  readonly lastLoginAt?: Instant
}

const SESSIONS_SHOWN = 100
/** How many audit log pages are searched for a successful login; limited, because a stranger can cause any number of failed logins. */
const PAGES = 5
const PAGE = 100

/**
 * Returns one account by its email, with the data that support staff need. The cost does not grow with the number of accounts, and the
 * amount of data read for this account is limited. Refuses the call with `invalid` or `not-found`.
 */
export const getUser = operation({
  permission: ['user', 'show'],
  input: fields({ email: text }),
  parts: ['accounts', 'sessions', 'auditLog', 'clock'],
  optional: ['auditLog'],
  run:
    (parts) =>
    async ({ email }): Promise<UserDetails> => {
      const account = await namedAccount(parts.accounts, email)
      const request = { accountId: account.id, limit: SESSIONS_SHOWN + 1, at: parts.clock() }
      const sessions = await parts.sessions.pageOf(request)
      const lastLoginAt = (await recordedLogin(parts.auditLog, account)) ?? newestLogin(sessions)
      return {
        ...summaryOf(account),
        sessions: {
          active: Math.min(sessions.length, SESSIONS_SHOWN),
          more: sessions.length > SESSIONS_SHOWN,
        },
        secondFactor: account.secondFactor !== undefined,
        ...defined({ lastLoginAt }),
      }
    },
})

async function recordedLogin(
  auditLog: AuditLog | undefined,
  { id: accountId }: Account,
): Promise<Instant | undefined> {
  const newest = { accountId, event: 'login', order: 'newest-first', limit: PAGE } as const
  let after: Parameters<AuditLog['page']>[0]['after']
  for (let pages = 0; auditLog && pages < PAGES; pages += 1) {
    const page = await auditLog.page(after === undefined ? newest : { ...newest, after })
    const success = page.find(({ outcome }) => outcome === 'success')
    if (success) return success.at
    if (page.length < PAGE) return undefined
    after = page.at(-1)?.id
  }
  return undefined
}

/** Ignores sessions in which another account acts, because they are not logins of this account. */
function newestLogin(sessions: readonly Session[]): Instant | undefined {
  const own = sessions.filter(({ actor }) => !actor).map(({ createdAt }) => createdAt)
  return own.length > 0 ? Math.max(...own) : undefined
}
