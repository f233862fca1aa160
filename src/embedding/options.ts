import type { PermissionRules } from '../domain/access/permissions.js'
import type { AuditSink } from '../ports/audit-log.js'
import type { Clock } from '../ports/clock.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { Mailer, MailTemplates } from '../ports/mailer.js'
import type { PasswordHasher } from '../ports/password-hasher.js'
import type { Randomness } from '../ports/randomness.js'
import type { Store } from '../ports/store.js'

/** Milliseconds, or a text such as `15m`, `7d`. */
export type DurationOption = number | string

/**
 * How a Kennel is opened. Every setting of the service is here under its variable's name in camel
 * case, means the same and has the same default; `.env.example` describes each. Only `passphrase` and
 * `publicUrl` have none.
 */
export type KennelOptions = {
  /** `sqlite:PATH`, `mongodb://…`, `memory:`, or an open store of your own, which stays yours to close. */
  readonly store?: string | Store
  /** SECURITY_JWT_PASSPHRASE. */
  readonly passphrase: string
  /** SECURITY_JWT_PASSPHRASE_PREVIOUS: they verify and never sign. */
  readonly previousPassphrases?: readonly string[]
  /** PUBLIC_URL: the origin that clients use. */
  readonly publicUrl: string
  /** NODE_ENV=production: true by default; false lets a loopback `publicUrl` have cookies without TLS. */
  readonly production?: boolean
  /** What PERMISSIONS_FILE would hold. */
  readonly permissions?: PermissionRules
  readonly permissionsFile?: string
  /** IDENTITY_STATELESS. */
  readonly stateless?: boolean
  readonly statelessRevocation?: 'none' | 'store'
  readonly tokenFormat?: 'jwt' | 'paseto'
  readonly tokenAlg?: 'HS512' | 'EdDSA'
  readonly accessTokenTtl?: DurationOption
  readonly refreshTokenTtl?: DurationOption
  readonly sessionTtl?: DurationOption
  readonly refreshGrace?: DurationOption
  readonly impersonationTtl?: DurationOption
  readonly resetTokenTtl?: DurationOption
  readonly resetUrl?: string
  readonly mailUrl?: string
  readonly mailFrom?: string
  readonly mailTemplates?: string
  /** `store`, `log`, both (`store,log`) or `off`. */
  readonly audit?: string
  readonly auditRetention?: DurationOption
  readonly loginLimit?: string
  readonly passwordMinLength?: number
  readonly passwordScrypt?: string
  readonly passwordHashConcurrency?: number
  readonly petsSecurity?: 'any' | 'all'
  readonly petsApiKeyHeader?: string
  /** IDENTITY_AUTHORIZATION_HEADER. */
  readonly authorizationHeader?: string
  readonly sessionCookieName?: string
  readonly sessionCookieSecure?: boolean
  readonly sessionCookieSamesite?: 'strict' | 'lax' | 'none'
  readonly corsOrigins?: readonly string[]
  readonly trustProxy?: number
  readonly bodyLimit?: string
  /** DOCS: a page at `/docs` to read and try the HTTP interface, of `kennel-id/koa`. */
  readonly docs?: boolean
  /**
   * Whether mails are sent and what has expired is removed by themselves; true by default. No timer of
   * it keeps a process alive.
   */
  readonly background?: boolean
  /** In place of ours. */
  readonly parts?: KennelParts
}

/**
 * Parts of your own. What a part lacks is a fault of the options; where it breaks a law of its port
 * that can be seen, calls reject with a `PartError`, which is logged too.
 */
export type KennelParts = {
  readonly clock?: Clock
  readonly randomness?: Randomness
  readonly hasher?: PasswordHasher
  /** Takes the place of `mailUrl`; closed with the Kennel. */
  readonly mailer?: Mailer
  readonly mailTemplates?: MailTemplates
  /** All get every audit record, in place of what `audit` says. */
  readonly auditSinks?: readonly AuditSink[]
  /** Without one nothing is logged. */
  readonly log?: Log
  /** Without one nothing is counted; `kennel-id/prometheus` makes one. */
  readonly metrics?: Metrics
}

/** The variable behind each option that is a setting. */
export const VARIABLE_OF = {
  store: 'DATABASE_URL',
  passphrase: 'SECURITY_JWT_PASSPHRASE',
  previousPassphrases: 'SECURITY_JWT_PASSPHRASE_PREVIOUS',
  publicUrl: 'PUBLIC_URL',
  production: 'NODE_ENV',
  permissionsFile: 'PERMISSIONS_FILE',
  stateless: 'IDENTITY_STATELESS',
  statelessRevocation: 'STATELESS_REVOCATION',
  tokenFormat: 'TOKEN_FORMAT',
  tokenAlg: 'TOKEN_ALG',
  accessTokenTtl: 'ACCESS_TOKEN_TTL',
  refreshTokenTtl: 'REFRESH_TOKEN_TTL',
  sessionTtl: 'SESSION_TTL',
  refreshGrace: 'REFRESH_GRACE',
  impersonationTtl: 'IMPERSONATION_TTL',
  resetTokenTtl: 'RESET_TOKEN_TTL',
  resetUrl: 'RESET_URL',
  mailUrl: 'MAIL_URL',
  mailFrom: 'MAIL_FROM',
  mailTemplates: 'MAIL_TEMPLATES',
  audit: 'AUDIT',
  auditRetention: 'AUDIT_RETENTION',
  loginLimit: 'LOGIN_LIMIT',
  passwordMinLength: 'PASSWORD_MIN_LENGTH',
  passwordScrypt: 'PASSWORD_SCRYPT',
  passwordHashConcurrency: 'PASSWORD_HASH_CONCURRENCY',
  petsSecurity: 'PETS_SECURITY',
  petsApiKeyHeader: 'PETS_API_KEY_HEADER',
  authorizationHeader: 'IDENTITY_AUTHORIZATION_HEADER',
  sessionCookieName: 'SESSION_COOKIE_NAME',
  sessionCookieSecure: 'SESSION_COOKIE_SECURE',
  sessionCookieSamesite: 'SESSION_COOKIE_SAMESITE',
  corsOrigins: 'CORS_ORIGINS',
  trustProxy: 'TRUST_PROXY',
  bodyLimit: 'BODY_LIMIT',
  docs: 'DOCS',
} as const satisfies Partial<Record<keyof KennelOptions, string>>
