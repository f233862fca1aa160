import type { Account } from '../../domain/identity/account.js'
import {
  clientName,
  rememberedId,
  type Actor,
  type Generation,
  type KeyDigest,
  type LoginProof,
  type OpenedBy,
  type PairId,
  type Session,
  type SessionId,
  type SessionKey,
} from '../../domain/identity/session.js'
import { rateLimitKey } from '../../domain/identity/address.js'
import type { Instant } from '../../domain/instant.js'
import { defined } from '../../domain/plain-data.js'
import type { NameClient } from '../../ports/callbacks.js'
import type { ClientContext } from '../client-context.js'
import type { GivenShared } from '../shared-parts.js'

/** Opens a session for the account; the caller must have verified the account. */
export type OpenSession = (
  account: Account,
  login?: LoginTerms,
) => Promise<{ session: Session; sessionKey: SessionKey }>

export type LoginTerms = {
  /** The absolute end of the login; the default is derived from the lifetime of a session. */
  readonly endsAt?: Instant | undefined
  /** The actor, if the login is an impersonation. */
  readonly actor?: Actor | undefined
  /** When the second factor used for this login was confirmed. */
  readonly factor?: Instant | undefined
  /** The times of the owner's proofs of identity; absent if the owner has just proved their identity. */
  readonly proved?: LoginProof | undefined
  /** Whether the owner proved their identity with a passkey; only tokens in stateless mode record this. */
  readonly passkey?: true | undefined
  /** Whether the cookie should outlive the browser session. */
  readonly remember?: boolean | undefined
  readonly client?: ClientContext | undefined
}

export type OpenSessionParts = GivenShared<
  ['sessions', 'sessionKeys', 'lifetimes', 'randomness', 'clock', 'nameClient']
> &
  GivenShared<['sessionLimit', 'rememberLogin', 'log']> & { nextGeneration: NextGeneration }

/**
 * At the limit, the oldest sessions of the account are ended. An impersonation ends no other session and does not count toward the limit.
 */
export function createOpenSession(parts: OpenSessionParts): OpenSession {
  return async (account, { endsAt: end, actor, factor, proved, remember, client } = {}) => {
    const sessionKey = parts.sessionKeys.fresh()
    const openedBy = client && (await originOf(client, parts.nameClient))
    const at = parts.clock()
    const endsAt = end ?? at + parts.lifetimes.session
    const id = parts.randomness.base64url(16) as SessionId
    const session = {
      id: remember && parts.rememberLogin ? rememberedId(id) : id,
      accountId: account.id,
      epoch: account.epoch,
      createdAt: at,
      endsAt,
      current: parts.nextGeneration(1, parts.sessionKeys.digest(sessionKey), at, endsAt),
      ...defined({ factor, proved, openedBy, actor }),
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
    log?.info('sessions were ended: an account may have at most SESSION_LIMIT', { accountId, count })
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

/** Creates a generation for the current key, with a new pair ID. The generation expires with its refresh token. */
export type NextGeneration = (
  number: number,
  keyDigest: KeyDigest,
  at: Instant,
  endsAt: Instant,
) => Generation

/** `currentKid` is the current key ID of the token signer. */
export function createNextGeneration(
  parts: GivenShared<['lifetimes', 'randomness']> & { currentKid: string },
): NextGeneration {
  return (number, keyDigest, at, endsAt) => ({
    number,
    pairId: parts.randomness.base64url(16) as PairId,
    kid: parts.currentKid,
    issuedAt: at,
    keyDigest,
    idleEndsAt: Math.min(at + parts.lifetimes.refreshToken, endsAt),
  })
}
