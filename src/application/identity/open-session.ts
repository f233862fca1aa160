import type { Account } from '../../domain/identity/account.js'
import { clientName } from '../../domain/identity/client-name.js'
import { rateLimitKey } from '../../domain/identity/rate-limit-key.js'
import type {
  Actor,
  Generation,
  KeyDigest,
  Lifetimes,
  OpenedBy,
  PairId,
  Session,
  SessionId,
  SessionKey,
} from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { Clock } from '../../ports/clock.js'
import type { Log } from '../../ports/log.js'
import type { NameClient } from '../../ports/name-client.js'
import type { Randomness } from '../../ports/randomness.js'
import type { SessionKeys } from '../../ports/session-keys.js'
import type { Sessions } from '../../ports/sessions.js'
import type { ClientContext } from '../client-context.js'

/** Opens a session of the account; the caller has verified whatever there is to verify. */
export type OpenSession = (
  account: Account,
  login?: LoginTerms,
) => Promise<{ session: Session; sessionKey: SessionKey }>

/** What a login is like. */
export type LoginTerms = {
  /** Its absolute end; as long as a login lasts where it is not said. */
  readonly endsAt?: Instant | undefined
  /** Who acts. */
  readonly actor?: Actor | undefined
  /** Begun with a second factor: `true` if it was proved now, or when the factor of an earlier login was confirmed. */
  readonly factor?: true | Instant | undefined
  /** Where the request came from that begins it. */
  readonly client?: ClientContext | undefined
}

/** What the opening of a session is made of. */
export type OpenSessionParts = {
  sessions: Sessions
  sessionKeys: SessionKeys
  nextGeneration: NextGeneration
  lifetimes: Lifetimes
  randomness: Randomness
  clock: Clock
  /** Without it no client has a name. */
  nameClient?: NameClient | undefined
  /** The most sessions that an account may have; without one there is no limit. */
  sessionLimit?: number | undefined
  log?: Log | undefined
}

/** With a limit the oldest sessions of the account end; an impersonation ends none, and is none of them. */
export function createOpenSession(parts: OpenSessionParts): OpenSession {
  return async (account, { endsAt: end, actor, factor, client } = {}) => {
    const sessionKey = parts.sessionKeys.fresh()
    const openedBy = client && (await originOf(client, parts.nameClient))
    const at = parts.clock()
    const endsAt = end ?? at + parts.lifetimes.session
    const session = {
      id: parts.randomness.base64url(16) as SessionId,
      accountId: account.id,
      epoch: account.epoch,
      createdAt: at,
      endsAt,
      current: parts.nextGeneration(1, parts.sessionKeys.digest(sessionKey), at, endsAt),
      ...(factor !== undefined && { factor: true as const }),
      ...(openedBy && { openedBy }),
      ...(actor && { actor }),
    }
    await store(parts, session)
    return { session, sessionKey }
  }
}

async function store({ sessions, sessionLimit, log }: OpenSessionParts, session: Session): Promise<void> {
  if (sessionLimit === undefined || session.actor) {
    await sessions.open(session)
    return
  }
  const count = await sessions.openWithLimit(session, sessionLimit)
  const { accountId } = session
  if (count > 0)
    log?.info('sessions were ended: the account has no more than SESSION_LIMIT', { accountId, count })
}

async function originOf(
  { address, userAgent }: ClientContext,
  nameClient: NameClient | undefined,
): Promise<OpenedBy | undefined> {
  const network = rateLimitKey(address)
  const named = userAgent ? await nameClient?.(userAgent) : undefined
  const client = named === undefined ? undefined : clientName(named)
  if (client === undefined && network === undefined) return undefined
  return { ...(client !== undefined && { client }), ...(network !== undefined && { network }) }
}

/** A generation signed by the current key, with a new pair id; idle after the refresh token's life. */
export type NextGeneration = (
  number: number,
  keyDigest: KeyDigest,
  at: Instant,
  endsAt: Instant,
) => Generation

/** `currentKid` is that of the token signer. */
export function createNextGeneration(parts: {
  currentKid: string
  lifetimes: Lifetimes
  randomness: Randomness
}): NextGeneration {
  return (number, keyDigest, at, endsAt) => ({
    number,
    pairId: parts.randomness.base64url(16) as PairId,
    kid: parts.currentKid,
    issuedAt: at,
    keyDigest,
    idleEndsAt: Math.min(at + parts.lifetimes.refreshToken, endsAt),
  })
}
