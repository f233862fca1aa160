import type { Instant } from '../instant.js'
import type { AccountId, Epoch } from '../identity/account.js'
import type { Email } from '../identity/email.js'
import type { Actor, LoginProof, SessionId } from '../identity/session.js'
import type { Role } from './role.js'

/** The source of a caller's request, for the audit log; has no effect on permissions. */
export type CallerClient = { readonly address?: string | undefined; readonly requestId?: string | undefined }

/** A logged-in person. */
export type Identity = {
  readonly kind: 'account'
  readonly accountId: AccountId
  readonly email: Email
  readonly roles: readonly Role[]
  /** Absent, like all members below, for a caller without a session (HTTP Basic on the pet routes). */
  readonly sessionId?: SessionId
  readonly epoch?: Epoch
  readonly endsAt?: Instant
  /** Present if the login was verified with a second factor that the account still has. */
  readonly factor?: true
  /** When this second factor was set up and confirmed. */
  readonly factorSince?: Instant
  /** The times of the owner's last proofs of identity; present only if the permissions have conditions (`fresh`, `factor`). */
  readonly proved?: LoginProof
  /** Present, together with `proved`, if the account has no password. Absent in stateless mode, where this is unknown. */
  readonly hasPassword?: false
  /** Present, together with `proved`, if the account has no second factor. Absent in stateless mode, where this is unknown. */
  readonly hasFactor?: false
  /** The account that impersonates this account. The actor's own permissions do not apply, and neither do permissions for operators. */
  readonly actor?: Actor
  /** Set by a host that wants the client's address and the request ID in the audit log. */
  readonly client?: CallerClient | undefined
}

/** A program with an API key. */
export type ApiKeyIdentity = {
  readonly kind: 'api-key'
  readonly apiKeyId: number
  readonly roles: readonly Role[]
  readonly client?: CallerClient | undefined
}

/** The operator at the command line. */
export type Operator = { readonly kind: 'cli' }
/** A caller who presented no credentials. */
export type Anonymous = { readonly kind: 'anonymous' }

/** The caller of a use case, whose permissions are checked. */
export type Caller = Identity | ApiKeyIdentity | Operator | Anonymous

/** A caller that presented no credentials. */
export const ANONYMOUS: Anonymous = { kind: 'anonymous' }
/** For a host that acts on its own behalf, with the permissions of the role `cli`. Never use this caller for a client's request. */
export const OPERATOR: Operator = { kind: 'cli' }

/**
 * Whether the caller acts as another account. Such a caller may not perform operators' actions: they would give the actor lasting access to
 * what only the other account may do, for example a password or an API key.
 */
export function isActing(caller: Caller): boolean {
  return caller.kind === 'account' && caller.actor !== undefined
}
