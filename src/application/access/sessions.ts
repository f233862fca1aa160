import { networkOf, type Session, type SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { defined } from '../../domain/plain-data.js'
import { isPlainText } from '../../domain/parsed.js'
import { refuseField } from '../../domain/refusal.js'
import { affectedAccount, namedAccount, noSuchAccount } from '../accounts/named-account.js'
import { fields, optional, text } from '../fields.js'
import { count, sessionPosition } from '../inputs.js'
import { operation } from '../operation.js'
import { within } from './within.js'

/** The public view of a session, without its key, digest or token data. */
export type SessionSummary = {
  readonly id: SessionId
  readonly createdAt: Instant
  /** The time of the login or of the last refresh. */
  readonly refreshedAt: Instant
  /** When the session ends if it is not refreshed again. */
  readonly idleEndsAt: Instant
  readonly endsAt: Instant
  /** The short name of the client that logged in. Absent if unknown. */
  readonly client?: string
  /** The network of the IP address at the last refresh, or at the login if there was no refresh. Absent if unknown. */
  readonly network?: string
}

/**
 * Returns the active sessions of the account, oldest first, at most `limit`; a page with fewer sessions is the last page. Refuses the call
 * with `invalid` or `not-found`.
 */
export const listSessions = operation({
  permission: ['session', 'list'],
  input: fields({ email: text, after: optional(sessionPosition), limit: count }),
  parts: ['accounts', 'sessions', 'clock'],
  run:
    ({ accounts, sessions, clock }) =>
    async ({ email, after, limit }): Promise<readonly SessionSummary[]> => {
      const { id: accountId } = await namedAccount(accounts, email)
      const request = { accountId, limit, at: clock(), ...(after && { after }) }
      return (await sessions.pageOf(request)).map(summaryOf)
    },
})

function summaryOf(session: Session): SessionSummary {
  const { id, createdAt, endsAt, current, openedBy: { client } = {} } = session
  return {
    ...{ id, createdAt, refreshedAt: current.issuedAt, idleEndsAt: current.idleEndsAt, endsAt },
    ...defined({ client, network: networkOf(session) }),
  }
}

/**
 * Ends every session of the account and resolves with the number of ended sessions; afterwards no earlier credential is valid. A user who
 * knows the password can log in again. Refuses the call with `invalid` or `not-found`.
 */
export const revokeSessions = operation({
  permission: ['session', 'revoke'],
  input: fields({ email: text, within }),
  parts: ['accounts', 'assertWithin', 'sessions', 'audit'],
  run:
    ({ sessions, audit, ...parts }) =>
    async (call) => {
      const { id } = await affectedAccount(parts, call)
      // One call ends all logins at the same moment, including logins without a stored session and logins in progress.
      const ended = await sessions.endAllOf(id)
      if (ended === undefined) throw noSuchAccount()
      await audit.record({ event: 'session.revoke', caller: call.caller, subject: id })
      return ended
    },
})

/**
 * Ends one session of the account; its other sessions continue. Refuses the call with `invalid` or `not-found` (with the field `id` if no
 * session of the account has this ID).
 */
export const revokeSession = operation({
  permission: ['session', 'revoke'],
  input: fields({ email: text, id: text, within }),
  parts: ['accounts', 'assertWithin', 'sessions', 'audit'],
  run:
    ({ sessions, audit, ...parts }) =>
    async (call) => {
      const { id: subject } = await affectedAccount(parts, call)
      const isEnded =
        isPlainText(call.id) && (await sessions.endOne(subject, call.id as SessionId)) === 'ended'
      if (!isEnded)
        throw refuseField('not-found', 'id', 'NotFound', 'The account has no session with this id.')
      await audit.record({ event: 'session.revoke', caller: call.caller, subject, what: 'sessions:1' })
    },
})
