import type { Instant } from '../instant.js'
import type { AccountId, Epoch } from '../identity/account.js'
import type { Email } from '../identity/email.js'
import type { Actor, SessionId } from '../identity/session.js'
import type { Role } from './role.js'

/** A logged-in person. */
export type Identity = {
  readonly kind: 'account'
  readonly accountId: AccountId
  readonly email: Email
  readonly roles: readonly Role[]
  /** Absent, like all members below, if the caller has no login (HTTP Basic on the pet routes). */
  readonly sessionId?: SessionId
  readonly epoch?: Epoch
  readonly endsAt?: Instant
  /** Present if the login has proved a second factor that the account still has. */
  readonly factor?: true
  /** When that factor was confirmed. */
  readonly factorSince?: Instant
  /** The account that really calls, while it acts as this account. Its permissions do not count. */
  readonly actor?: Actor
}

/** A program with an API key. */
export type ApiKeyIdentity = {
  readonly kind: 'api-key'
  readonly apiKeyId: number
  readonly roles: readonly Role[]
}

/** The operator at the command line. */
export type Operator = { readonly kind: 'cli' }
/** A caller who presented no credentials. */
export type Anonymous = { readonly kind: 'anonymous' }

/** Who calls: every use case that needs a permission takes one. */
export type Caller = Identity | ApiKeyIdentity | Operator | Anonymous

/** The caller without credentials. */
export const ANONYMOUS: Anonymous = { kind: 'anonymous' }
/** For a host that acts in its own name, with the permissions of the role `cli`: never pass it for another caller. */
export const OPERATOR: Operator = { kind: 'cli' }
