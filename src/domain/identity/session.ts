import type { Role } from '../access/role.js'
import type { Instant } from '../instant.js'
import type { Account, AccountId, Epoch } from './account.js'
import type { Email } from './email.js'

/** Names a session in tokens and logs; proves nothing. */
export type SessionId = string & { readonly brand: 'SessionId' }
/** The secret in the cookie: 256 bit, base64url. Never stored, never logged. */
export type SessionKey = string & { readonly brand: 'SessionKey' }
/** SHA-256 of a session key, base64url: all that a store ever holds of it. */
export type KeyDigest = string & { readonly brand: 'KeyDigest' }
/** Names one issued pair of tokens of one session. */
export type PairId = string & { readonly brand: 'PairId' }

/** The data from which the tokens of one generation can be made again, to the byte, without storing them. */
export type Generation = {
  /** 1 at login, one more with every refresh. */
  readonly number: number
  readonly pairId: PairId
  readonly kid: string
  readonly issuedAt: Instant
  readonly keyDigest: KeyDigest
  /** When the session ends if it is not refreshed again; never after the session's own end. */
  readonly idleEndsAt: Instant
  /**
   * The address network (see `rateLimitKey`) of the client whose refresh made it. Absent if a login made it, if the
   * address is unknown, and in records of earlier releases.
   */
  readonly network?: string
}

/** The generation before the current one, and until when its cookie is accepted. */
export type PreviousGeneration = {
  readonly pairId: PairId
  readonly keyDigest: KeyDigest
  /** End of the grace window, exclusive; 0 without a window. */
  readonly until: Instant
}

/**
 * The account that acts as the account of a session (`act` in RFC 8693). The session is active only while both accounts
 * allow it.
 */
export type Actor = {
  readonly accountId: AccountId
  /** The email of the actor's account, which never changes. */
  readonly email: Email
  readonly epoch: Epoch
  /** The absolute end of the actor's own login, which continues when the impersonation ends. */
  readonly endsAt: Instant
}

/** The origin of a login, by which users recognise their sessions. Has at least one member. */
export type OpenedBy = {
  /** The short name of the client, see `clientName`. */
  readonly client?: string
  /** The address network (see `rateLimitKey`) of the client. */
  readonly network?: string
}

/** One login. */
export type Session = {
  readonly id: SessionId
  readonly accountId: AccountId
  readonly epoch: Epoch
  readonly createdAt: Instant
  /** The absolute end: no refresh moves it. */
  readonly endsAt: Instant
  readonly current: Generation
  readonly previous?: PreviousGeneration
  /** Absent if it is unknown, and in records of earlier releases. */
  readonly openedBy?: OpenedBy
  /** Only while another account acts as this one. */
  readonly actor?: Actor
  /**
   * When the second factor was confirmed that the login has proved. It counts while the account, or the account of the
   * actor, has that factor.
   */
  readonly factor?: Instant
}

/** A session with its account and roles, as one read returns them. */
export type ActiveSession = {
  readonly session: Session
  readonly account: Account
  /** The present roles of the actor's account, by key; only with an actor. */
  readonly actorRoles?: readonly Role[]
  /** `secondFactor` of the actor's account. */
  readonly actorFactor?: Instant
}

/** Durations in milliseconds. */
export type Lifetimes = {
  readonly accessToken: number
  readonly refreshToken: number
  readonly session: number
  /** 0 to 60,000. */
  readonly refreshGrace: number
}

/** Whether the session is past its absolute end or its idle end. Does not judge its accounts. */
export function isPastEnd({ endsAt, current }: Session, at: Instant): boolean {
  return at >= endsAt || at >= current.idleEndsAt
}

/** The previous generation while its window is open. */
export function openPrevious({ previous }: Session, at: Instant): PreviousGeneration | undefined {
  return previous && at < previous.until ? previous : undefined
}

/** No random ID has a dot. */
const REMEMBERED = '.r'

/** The ID of a session whose cookie outlives the browser. The ID says so, because no store has a field for it. */
export function rememberedId(id: SessionId): SessionId {
  return (id + REMEMBERED) as SessionId
}

/** Whether the cookie of the session outlives the browser. */
export function isRemembered({ id }: Pick<Session, 'id'>): boolean {
  return id.endsWith(REMEMBERED)
}

/** The address network of the last refresh, otherwise of the login. */
export function networkOf({ current, openedBy }: Session): string | undefined {
  return current.network ?? openedBy?.network
}

/** Whether this key finds the session: its current key, or the previous key inside its window. */
export function isFoundBy(session: Session, keyDigest: KeyDigest, at: Instant): boolean {
  return keyDigest === session.current.keyDigest || keyDigest === openPrevious(session, at)?.keyDigest
}

const CLIENT_NAME_MAX = 64
/** The client chooses its name: characters that a page, a terminal or a log could interpret are left out. */
const OTHERS = /[^A-Za-z0-9 ._+()/-]/g
/** Mail readers make links of such dots, and notices show the name under the name of the service. */
const NO_VERSION_DOT = /(?<!\d)\.|\.(?!\d)/g

/**
 * The stored form of a client name, such as `Firefox 130 on Linux`: at most 64 characters, letters and digits of ASCII,
 * single spaces, `_+-()/`, and dots between digits. `undefined` if nothing is left.
 */
export function clientName(text: string): string | undefined {
  const plain = text.replaceAll(OTHERS, ' ').replaceAll(NO_VERSION_DOT, ' ').replaceAll(/ +/g, ' ').trim()
  const name = plain.slice(0, CLIENT_NAME_MAX).trim()
  return name === '' ? undefined : name
}
