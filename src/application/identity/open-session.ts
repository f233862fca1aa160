import type { Account } from '../../domain/identity/account.js'
import type {
  Actor,
  Generation,
  KeyDigest,
  Lifetimes,
  PairId,
  Session,
  SessionId,
  SessionKey,
} from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { Clock } from '../../ports/clock.js'
import type { Randomness } from '../../ports/randomness.js'
import type { SessionKeys } from '../../ports/session-keys.js'
import type { Sessions } from '../../ports/sessions.js'

/** Opens a session of the account: for as long as one lasts, or to an earlier end, and for an actor. */
export type OpenSession = (
  account: Account,
  options?: { readonly endsAt?: Instant; readonly actor?: Actor | undefined },
) => Promise<{ session: Session; sessionKey: SessionKey }>

/** The account is not looked at: the caller has verified it. */
export function createOpenSession(parts: {
  sessions: Sessions
  sessionKeys: SessionKeys
  nextGeneration: NextGeneration
  lifetimes: Lifetimes
  randomness: Randomness
  clock: Clock
}): OpenSession {
  return async (account, { endsAt: end, actor } = {}) => {
    const sessionKey = parts.sessionKeys.fresh()
    const at = parts.clock()
    const endsAt = end ?? at + parts.lifetimes.session
    const session = {
      id: parts.randomness.base64url(16) as SessionId,
      accountId: account.id,
      epoch: account.epoch,
      createdAt: at,
      endsAt,
      current: parts.nextGeneration(1, parts.sessionKeys.digest(sessionKey), at, endsAt),
      ...(actor && { actor }),
    }
    await parts.sessions.open(session)
    return { session, sessionKey }
  }
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
