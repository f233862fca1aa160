import type { Role } from '../access/role.js'
import type { Instant } from '../instant.js'
import type { Account, AccountId, Epoch } from './account.js'
import type { Email } from './email.js'

/** Identifies a session in tokens and logs, but gives no access. */
export type SessionId = string & { readonly brand: 'SessionId' }
/** The secret in the cookie: 256 bits in base64url. Never stored, never logged. */
export type SessionKey = string & { readonly brand: 'SessionKey' }
/** The SHA-256 digest of a session key in base64url, the only form that a store keeps. */
export type KeyDigest = string & { readonly brand: 'KeyDigest' }
/** Identifies a pair of tokens that a session issued. */
export type PairId = string & { readonly brand: 'PairId' }

/** The data from which the tokens of a generation can be signed again, byte for byte, so that the tokens need not be stored. */
export type Generation = {
  /** The generation number: 1 at login, incremented by every refresh. */
  readonly number: number
  readonly pairId: PairId
  readonly kid: string
  readonly issuedAt: Instant
  readonly keyDigest: KeyDigest
  /** When the session ends if it is not refreshed again; never later than its absolute end. */
  readonly idleEndsAt: Instant
  /**
   * The IP network (see `rateLimitKey`) of the client that refreshed the session. Absent in the first generation, in records from earlier
   * releases, and if the address is unknown.
   */
  readonly network?: string
}

/** The generation before the current generation. The cookie of this generation is accepted until `until`. */
export type PreviousGeneration = {
  readonly pairId: PairId
  readonly keyDigest: KeyDigest
  /** The exclusive end of the grace window; 0 without a window. */
  readonly until: Instant
}

/**
 * The account that impersonates the account of a session (`act` in RFC 8693). The session ends when all logins of either account are ended.
 */
export type Actor = {
  readonly accountId: AccountId
  readonly email: Email
  readonly epoch: Epoch
  /** The absolute end of the actor's own login, to which the actor returns when the impersonation ends. */
  readonly endsAt: Instant
}

/** The client that logged in; helps users recognize their sessions. At least one member is present. */
export type OpenedBy = {
  /** The short name of the client, see `clientName`. */
  readonly client?: string
  /** The IP network (see `rateLimitKey`) of the client. */
  readonly network?: string
}

/** When the owner of a login last proved their identity. */
export type LoginProof = {
  /** When the owner last proved their identity with the first factor, such as the password or a login email. */
  readonly at: Instant
  /** When the last second-factor code was verified; absent if the login used none. */
  readonly factorAt?: Instant
}

/** The session of one login. */
export type Session = {
  readonly id: SessionId
  readonly accountId: AccountId
  readonly epoch: Epoch
  readonly createdAt: Instant
  /** The absolute expiry of the session; a refresh does not extend it. */
  readonly endsAt: Instant
  readonly current: Generation
  readonly previous?: PreviousGeneration
  /** Absent if the client is unknown, and in records from earlier releases. */
  readonly openedBy?: OpenedBy
  /** Present only in an impersonation. */
  readonly actor?: Actor
  /**
   * The time at which the second factor used for this login was confirmed. The factor counts only while the account (in an impersonation,
   * the actor's account) still has it.
   */
  readonly factor?: Instant
  /** Absent until the owner confirms the login; until then, `createdAt` applies (see `proofOf`). */
  readonly proved?: LoginProof
}

/** A session with its account and roles, from one read. */
export type ActiveSession = {
  readonly session: Session
  readonly account: Account
  /** The current roles of the actor's account, sorted by key; present only with an actor. */
  readonly actorRoles?: readonly Role[]
  /** The `secondFactor` of the actor's account. */
  readonly actorFactor?: Instant
}

/** The lifetimes of tokens and sessions, in milliseconds. */
export type Lifetimes = {
  readonly accessToken: number
  readonly refreshToken: number
  readonly session: number
  /** 0 to 60,000. */
  readonly refreshGrace: number
}

export function proofOf({
  createdAt,
  factor,
  proved,
}: Pick<Session, 'createdAt' | 'factor' | 'proved'>): LoginProof {
  return proved ?? { at: createdAt, ...(factor !== undefined && { factorAt: createdAt }) }
}

/** Returns whether the session is past its absolute or its idle expiry. Does not check whether the account or the actor has changed. */
export function isPastEnd({ endsAt, current }: Session, at: Instant): boolean {
  return at >= endsAt || at >= current.idleEndsAt
}

export function openPrevious({ previous }: Session, at: Instant): PreviousGeneration | undefined {
  return previous && at < previous.until ? previous : undefined
}

/** A dot marks the suffix, because random IDs contain no dots. */
const REMEMBERED_SUFFIX = '.r'

/**
 * Adds a suffix that marks a session whose cookie is kept when the browser closes. The mark is in the ID because stores have no field for
 * it.
 */
export function rememberedId(id: SessionId): SessionId {
  return (id + REMEMBERED_SUFFIX) as SessionId
}

export function isRemembered({ id }: Pick<Session, 'id'>): boolean {
  return id.endsWith(REMEMBERED_SUFFIX)
}

export function networkOf({ current, openedBy }: Session): string | undefined {
  return current.network ?? openedBy?.network
}

/** Returns whether the digest belongs to the session's current key, or to its previous key within the window. */
export function isFoundBy(session: Session, keyDigest: KeyDigest, at: Instant): boolean {
  return keyDigest === session.current.keyDigest || keyDigest === openPrevious(session, at)?.keyDigest
}

const CLIENT_NAME_MAX = 64
/** Clients choose their names, so characters that a page, a terminal or a log might interpret are removed. */
const UNSAFE = /[^A-Za-z0-9 ._+()/-]/g
/** Notices contain the client's name, and email programs turn names with dots between letters into links. */
const LINKING_DOT = /(?<!\d)\.|\.(?!\d)/g

/**
 * Reduces a client name, such as `Firefox 130 on Linux`, to at most 64 characters: ASCII letters and digits, single
 * spaces, `_+-()/`, and dots between digits. Returns `undefined` if nothing is left.
 */
export function clientName(text: string): string | undefined {
  const plain = text.replaceAll(UNSAFE, ' ').replaceAll(LINKING_DOT, ' ').replaceAll(/ +/g, ' ').trim()
  const name = plain.slice(0, CLIENT_NAME_MAX).trim()
  return name === '' ? undefined : name
}
