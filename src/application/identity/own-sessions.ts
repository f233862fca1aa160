import { PAGE_LIMIT_DEFAULT } from '../../domain/page-limit.js'
import { networkOf, type Session, type SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { isPlainText } from '../../domain/parsed.js'
import { refuse, Refusal } from '../../domain/refusal.js'
import type { SessionPosition, Sessions } from '../../ports/sessions.js'
import { fields, flag, optional, text } from '../fields.js'
import { pageSize, sessionPosition } from '../inputs.js'
import { identityOperation } from './identity-operation.js'
import { ownLogin, type LoggedIn } from './own-account.js'
import { formParser, presentedInput } from './presented.js'

/** A session as its user sees it, without its key, digest or token data. */
export type OwnSession = {
  /** Identifies the session, but gives no access. */
  readonly id: SessionId
  readonly createdAt: Instant
  /** The time of the login or of the last refresh. */
  readonly refreshedAt: Instant
  /** The network at the last refresh or the login; absent if it is unknown or the session is an impersonation. */
  readonly network?: string
  /** The short name of the client, such as `Firefox 130 on Linux`. Absent in the same cases as `network`. */
  readonly client?: string
  /** Whether this is the session of the caller. */
  readonly current: boolean
  /** Whether this is a session in which an administrator acts as the account. */
  readonly impersonated: boolean
}

/** The sessions, oldest first. The next page starts after `next`, which is absent on the last page. */
export type OwnSessionPage = { readonly sessions: readonly OwnSession[]; readonly next?: SessionPosition }

/**
 * Returns the active sessions of the logged-in account, at most `limit` (20 by default). Refuses the call with the first of these codes
 * that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or lacks the permission `auth: list-sessions`; always in stateless mode, because no
 *   sessions are stored.
 */
export const listOwnSessions = identityOperation({
  permission: ['auth', 'list-sessions'],
  input: fields({ presented: presentedInput, after: optional(sessionPosition), limit: optional(pageSize) }),
  parts: ['authenticate', 'sessions', 'clock'],
  run:
    (parts, checks) =>
    async (input): Promise<OwnSessionPage> => {
      const { caller } = await ownLogin(parts, input, checks)
      const { after, limit = PAGE_LIMIT_DEFAULT } = input
      const found = await parts.sessions.pageOf({
        accountId: caller.accountId,
        limit: limit + 1,
        at: parts.clock(),
        ...(after && { after }),
      })
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : undefined
      return {
        sessions: page.map((session) => ownSessionOf(session, caller)),
        ...(last && { next: { createdAt: last.createdAt, id: last.id } }),
      }
    },
})

function ownSessionOf(session: Session, login: LoggedIn): OwnSession {
  const { id, createdAt, current, openedBy, actor } = session
  const network = actor ? undefined : networkOf(session)
  const client = actor ? undefined : openedBy?.client
  return {
    ...{ id, createdAt, refreshedAt: current.issuedAt },
    ...(network !== undefined && { network }),
    ...(client !== undefined && { client }),
    current: id === login.sessionId,
    impersonated: actor !== undefined,
  }
}

/** How many sessions were ended, and whether the caller's own session is among them. */
export type EndedSessions = { readonly ended: number; readonly current: boolean }

/**
 * Ends one session of the logged-in account, possibly the caller's own, or all sessions except the caller's, including sessions in which
 * the account acts as another account. Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or lacks the permission `auth: end-sessions`; always in stateless mode;
 * - `malformed`: `id` is not a string, or `others` is not a boolean;
 * - `invalid`: the input has neither `id` nor `others: true`, or has both;
 * - `not-found`: no session of the account has this ID.
 *
 * Audits the ended sessions.
 */
export const endOwnSessions = identityOperation({
  permission: ['auth', 'end-sessions'],
  input: formParser({ id: optional(text), others: optional(flag) }),
  parts: ['authenticate', 'sessions', 'audit', 'clock'],
  run:
    ({ sessions, audit, clock, ...parts }, checks) =>
    async (input): Promise<EndedSessions> => {
      const { caller, client, id, others } = await ownLogin(parts, input, checks)
      const { accountId: subject, sessionId } = caller
      const wanted = oneOf(id, others)
      const ended =
        wanted === undefined
          ? await sessions.endOthers(subject, sessionId, clock())
          : await endOne(sessions, caller, wanted)
      const entry = { event: 'session.end', caller, subject, client } as const
      if (ended > 0) await audit.record({ ...entry, what: `sessions:${ended}` })
      return { ended, current: wanted === sessionId }
    },
})

async function endOne(sessions: Sessions, login: LoggedIn, id: SessionId): Promise<1> {
  if (isPlainText(id) && (await sessions.endOne(login.accountId, id)) === 'ended') return 1
  throw new Refusal('not-found', [
    { field: 'id', type: 'NotFound', message: 'You have no session with this id.' },
  ])
}

/** Returns the ID of the session to end, or `undefined` to end all other sessions. */
function oneOf(id: string | undefined, others: boolean | undefined): SessionId | undefined {
  if ((others === true) !== (id !== undefined)) return id as SessionId | undefined
  throw refuse('invalid', 'NotValid', 'Send either id or others: true.')
}
