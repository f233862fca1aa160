import { PAGE_LIMIT_DEFAULT, type PageLimit } from '../../domain/page-limit.js'
import { networkOf, type Session, type SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { MUST_BE } from '../../domain/messages.js'
import { refuse, Refusal } from '../../domain/refusal.js'
import type { Clock } from '../../ports/clock.js'
import type { SessionPosition, Sessions } from '../../ports/sessions.js'
import type { Authorize } from '../access/authorize.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { textField } from '../fields.js'
import type { Authenticate } from './authenticate.js'
import { assertOwnLogin, type LoggedIn } from './impersonation/replace-login.js'
import type { CheckedCredentials } from './presented.js'

/** What users are shown of a session of their own: no key, no digest, nothing that a token is made of. */
export type OwnSession = {
  /** Names the session; proves nothing. */
  readonly id: SessionId
  readonly createdAt: Instant
  /** Login, or the last refresh. */
  readonly refreshedAt: Instant
  /** The address network of the last refresh, else of the login. Absent where it is unknown, or an administrator's. */
  readonly network?: string
  /** The short name of the client, such as `Firefox 130 on Linux`. Absent as the network is. */
  readonly client?: string
  /** Whether it is the one that asks. */
  readonly current: boolean
  /** Whether an administrator acts as the account in it. */
  readonly impersonated: boolean
}

/** The oldest first. `next` is where the following page starts after; absent on the last. */
export type OwnSessionPage = { readonly sessions: readonly OwnSession[]; readonly next?: SessionPosition }

/**
 * Active sessions of the account that is logged in, at most `limit`. In this order it refuses with
 * - `invalid-token`, `unauthenticated`: as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or is not permitted `auth: list-sessions`; in stateless mode always, for
 *   no session is stored.
 */
export type ListOwnSessions = (input: {
  presented: CheckedCredentials
  after?: SessionPosition | undefined
  /** 20 where it is not said. */
  limit?: PageLimit | undefined
}) => Promise<OwnSessionPage>

/** What the list of one's own sessions is made of. */
export type ListOwnSessionsParts = {
  authenticate: Authenticate
  authorize: Authorize
  sessions: Sessions
  clock: Clock
}

/** Needs the permission `auth: list-sessions`. */
export function createListOwnSessions(parts: ListOwnSessionsParts): ListOwnSessions {
  return async ({ presented, after, limit = PAGE_LIMIT_DEFAULT }) => {
    const login = assertOwnLogin(await parts.authenticate(presented))
    parts.authorize(login, 'auth', 'list-sessions')
    const request = {
      accountId: login.accountId,
      limit: limit + 1,
      at: parts.clock(),
      ...(after && { after }),
    }
    const found = await parts.sessions.pageOf(request)
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1) : undefined
    return {
      sessions: page.map((session) => shown(session, login)),
      ...(last && { next: { createdAt: last.createdAt, id: last.id } }),
    }
  }
}

/** Of an administrator no more is told than that there is one. */
function shown(session: Session, login: LoggedIn): OwnSession {
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

/** How many sessions were ended, and whether the one that asked is among them. */
export type EndedSessions = { readonly ended: number; readonly current: boolean }

/**
 * Ends one session of the account that is logged in, which may be this one, or all but this one and those in which it acts
 * as another one. In this order it refuses with
 * - `invalid-token`, `unauthenticated`: as `Authenticate`;
 * - `malformed`: `id` is not text, or `others` neither true nor false;
 * - `forbidden`: the caller acts as another account, or is not permitted `auth: end-sessions`; in stateless mode always;
 * - `invalid`: not exactly one of `id` and `others: true`;
 * - `not-found`: no session of the account has this id.
 *
 * What was ended is audited.
 */
export type EndOwnSessions = (input: {
  id?: unknown
  others?: unknown
  presented: CheckedCredentials
}) => Promise<EndedSessions>

/** What the end of one's own sessions is made of. */
export type EndOwnSessionsParts = ListOwnSessionsParts & { audit: AuditTrail }

/** Needs the permission `auth: end-sessions`. */
export function createEndOwnSessions(parts: EndOwnSessionsParts): EndOwnSessions {
  return async ({ presented, ...fields }) => {
    const caller = await parts.authenticate(presented)
    const [id, others] = [textField('id', fields.id), flagField('others', fields.others)]
    const login = assertOwnLogin(caller)
    parts.authorize(login, 'auth', 'end-sessions')
    const { accountId: subject, sessionId } = login
    const entry = { event: 'session.end', caller: login, subject, client: presented.client } as const
    const wanted = oneOf(id, others)
    const ended = wanted === undefined ? await endOthers(parts, login) : await endOne(parts, login, wanted)
    if (ended > 0) await parts.audit.record({ ...entry, what: `sessions:${ended}` })
    return { ended, current: wanted === sessionId }
  }
}

async function endOthers({ sessions, clock }: EndOwnSessionsParts, login: LoggedIn): Promise<number> {
  return await sessions.endOthers(login.accountId, login.sessionId, clock())
}

async function endOne({ sessions }: EndOwnSessionsParts, login: LoggedIn, id: SessionId): Promise<1> {
  if ((await sessions.endOne(login.accountId, id)) === 'ended') return 1
  throw new Refusal('not-found', [
    { field: 'id', type: 'NotFound', message: 'There is no such session of yours.' },
  ])
}

/** The session that is meant, or none where all others are. */
function oneOf(id: string | undefined, others: boolean | undefined): SessionId | undefined {
  if ((others === true) !== (id !== undefined)) return id as SessionId | undefined
  throw refuse('invalid', 'NotValid', 'Either id or others: true has to be given.')
}

function flagField(field: string, value: unknown): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value
  throw new Refusal('malformed', [{ field, type: 'Format', message: MUST_BE.boolean }])
}

/** `ListOwnSessions` where nothing is stored that could be listed. */
export function createRefusedListing(parts: { authenticate: Authenticate }): ListOwnSessions {
  return async ({ presented }) => {
    await parts.authenticate(presented)
    throw notStored()
  }
}

/** `EndOwnSessions` where there is nothing that it could end. */
export function createRefusedEnding(parts: { authenticate: Authenticate }): EndOwnSessions {
  return async ({ presented }) => {
    await parts.authenticate(presented)
    throw notStored()
  }
}

function notStored(): Refusal {
  return refuse('forbidden', 'Forbidden', 'No sessions are stored here.', 'stateless mode')
}
