/**
 * The types of the data that `kennel-id/admin` sends and receives. Times are ISO 8601 strings in UTC, roles are role keys, and unknown
 * values are absent.
 */

type Texts<Always extends string, Sometimes extends string = never> = {
  readonly [Name in Always]: string
} & { readonly [Name in Sometimes]?: string }

/** Selects a page of at most `limit` entries (1 to 100, 20 by default) after the position in `cursor`. */
export type AdminQuery = { readonly limit?: number; readonly cursor?: string }

/** Filters for accounts, combined with AND; `email` is the beginning of the email. */
export type UserQuery = AdminQuery & Texts<never, 'email' | 'role'> & { readonly disabled?: boolean }

/** Filters for audit records, combined with AND; `user` is an email or an account ID. */
export type AuditQuery = AdminQuery & {
  readonly user?: string | number
  readonly event?: string
  readonly since?: Date | string
  readonly until?: Date | string
  readonly order?: 'oldest-first' | 'newest-first'
}

/** Either a password or its hash, in a format that can be imported. Passing a hash also requires the permission `user: import`. */
export type PasswordOrHash = { readonly password: string } | { readonly passwordHash: string }

/** The data of a new account. */
export type NewUser = PasswordOrHash & { readonly email: string; readonly roles?: readonly string[] }

/** An account; a disabled account has `disabledAt`. */
export type AdminUser = Numbered & Texts<'email' | 'createdAt', 'disabledAt'>

/** An account from an earlier release that shares its canonical email with other accounts. */
export type DuplicateUser = AdminUser & Texts<'canonicalEmail'>

type Numbered = { readonly id: number; readonly roles: readonly string[] }

/** An account with its number of active sessions; `more` is true if the account has more sessions than `active`. */
export type AdminUserDetails = AdminUser &
  Texts<never, 'lastLoginAt'> & {
    readonly sessions: { readonly active: number; readonly more: boolean }
    readonly secondFactor: boolean
  }

/** A role that accounts and API keys can have. */
export type AdminRole = Texts<'uuid' | 'key' | 'label'>

/** An active session of an account. */
export type AdminSession = Texts<
  'id' | 'createdAt' | 'refreshedAt' | 'idleEndsAt' | 'endsAt',
  'client' | 'network'
>

/** An invitation that has not been accepted. */
export type Invitation = Texts<'id' | 'email' | 'createdAt' | 'expiresAt'> & Pick<Numbered, 'roles'>

/** The state of an account's second factor; `required` is true if a role of the account needs a second factor. */
export type UserFactor = Texts<never, 'since'> & {
  readonly active: boolean
  readonly recoveryCodesLeft: number
  readonly required: boolean
}

/** A passkey of an account. */
export type UserPasskey = Texts<'id' | 'name' | 'createdAt', 'lastUsedAt'> & {
  /** Whether the device may copy the passkey to other devices. */
  readonly synced: boolean
  readonly backedUp: boolean
  readonly transports: readonly string[]
}

/** An API key; `createdBy` is `cli`, or an account such as `account:7`. */
export type AdminApiKey = Numbered &
  Texts<'name' | 'createdAt', 'createdBy' | 'revokedAt' | 'expiresAt' | 'lastUsedAt'>

/** The data of a new API key. */
export type NewAdminApiKey = {
  readonly name: string
  readonly roles?: readonly string[]
  readonly expiresAt?: Date | string
}

/** Who did what and when; `count` is the number of identical events in one minute. */
export type AdminAuditRecord = Texts<
  'id' | 'at' | 'event' | 'actor',
  'actorEmail' | 'subject' | 'subjectEmail' | 'address' | 'requestId'
> & { readonly outcome: 'success' | 'failure'; readonly count?: number }

/** The caller and the actions that its roles permit, by component. */
export type CallerPermissions = {
  readonly caller: { readonly kind: 'account' | 'api-key'; readonly id: number; readonly email?: string }
  readonly permissions: Readonly<Record<string, readonly string[]>>
}
