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
  /** Absent where the credential is not a login (HTTP Basic on the pet routes), as all below. */
  readonly sessionId?: SessionId
  readonly epoch?: Epoch
  /** The absolute end of the login. */
  readonly endsAt?: Instant
  /** There where the login has proved a second factor, and the account still has it. */
  readonly factor?: true
  /** In stateless mode: when that factor was confirmed. */
  readonly factorSince?: Instant
  /** Who it really is, while another account acts as this one. Its permissions do not count. */
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
/** A caller who presented nothing. */
export type Anonymous = { readonly kind: 'anonymous' }

/** Who calls: every use case that needs a permission takes one. */
export type Caller = Identity | ApiKeyIdentity | Operator | Anonymous

/** The one that there is. */
export const ANONYMOUS: Anonymous = { kind: 'anonymous' }
/** For a host that acts in its own name. Its permissions are those of the role `cli`: never pass it for another caller. */
export const OPERATOR: Operator = { kind: 'cli' }
