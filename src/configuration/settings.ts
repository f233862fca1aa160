import { auditTargets, choice, flag, mode, modelName, onOff, plain, roleKeys } from './choices.js'
import { emailDomains, mailUrl, notices, resetUrl, sender } from './mail.js'
import { hashCost, passphrase, passphrases, passwordBlocklist } from './passwords.js'
import { row, type Row } from './reader.js'
import { schemaName, store } from './storage.js'
import {
  attemptLimit,
  duration,
  integer,
  integerOrAuto,
  integerOrOff,
  retention,
  size,
  wholeSeconds,
} from './units.js'
import {
  apiKeyHeader,
  cookieName,
  credentialHeader,
  listeningHost,
  originList,
  passkeys,
  publicOrigin,
  trustProxy,
} from './web.js'

/**
 * All settings, keyed by the name of their `openKennel` option. Variables, options, types and docs/operate/settings.md are derived from
 * this table, and the comment of each row is the documentation of its setting. A test compares `.env.example` with this table. The rules
 * that involve several settings are in rules.ts.
 */
export const SETTINGS = {
  /** With `production`, development conveniences are off. The option is a boolean. */
  production: row('NODE_ENV', mode, { default: 'development', http: true }),
  /** The address to listen on. */
  host: row('HOST', listeningHost, { default: '127.0.0.1', serviceOnly: true }),
  /** The port to listen on; 0 selects a free port, which is logged. */
  port: row('PORT', integer(0, 65_535), { default: '3000', serviceOnly: true }),
  /** Number of processes that serve requests; auto, the default in production except with memory:, means one per CPU core. */
  workers: row('WORKERS', integerOrAuto(1, 128), { otherwise: '1', serviceOnly: true }),
  /** The origin that clients use; required in production and by `openKennel`. */
  publicUrl: row('PUBLIC_URL', publicOrigin, { otherwise: 'http://127.0.0.1:3000' }),
  /** Number of proxies in front of the service, or their addresses and networks. */
  trustProxy: row('TRUST_PROXY', trustProxy, { default: '0', http: true }),
  /** Origins of other sites, apps and extensions whose pages may send requests with credentials, separated by commas. */
  corsOrigins: row('CORS_ORIGINS', originList, { http: true }),
  /** The maximum size of a request body. */
  bodyLimit: row('BODY_LIMIT', size('1kb', '16mb'), { default: '64kb', http: true }),
  /** The maximum number of open connections. */
  maxConnections: row('MAX_CONNECTIONS', integer(1, 1_000_000), { default: '10000', serviceOnly: true }),
  /** The maximum time in which the headers and the body of a request must arrive. */
  requestTimeout: row('REQUEST_TIMEOUT', duration('100ms', '1h'), { default: '30s', serviceOnly: true }),
  /** How long a connection may be idle between two requests; 65s by default in production. */
  keepAliveTimeout: row('KEEP_ALIVE_TIMEOUT', duration('100ms', '1h'), {
    otherwise: '5s',
    serviceOnly: true,
  }),
  /** How long the service waits for requests in progress after SIGTERM. */
  shutdownGrace: row('SHUTDOWN_GRACE', duration('0', '1h'), { default: '10s', serviceOnly: true }),
  /**
   * Where data is stored; with memory:, all data is lost when the service stops. The option can also be an open store.
   */
  store: row('DATABASE_URL', store, { otherwise: 'sqlite:./data/app.db', secret: true }),
  /** The schema that contains the tables in PostgreSQL; it is created if it is missing. */
  databaseSchema: row('DATABASE_SCHEMA', schemaName, { default: 'kennel' }),
  /** A module that opens a custom store, to use instead of DATABASE_URL: a path such as ./my-store.js, or a package. */
  storeModule: row('STORE_MODULE', plain('a path or the name of a package', 4_096), { serviceOnly: true }),
  /** The secret that signs tokens and sessions; `kennel-id key generate --plain` generates one. */
  passphrase: row('SECURITY_JWT_PASSPHRASE', passphrase, { secret: true }),
  /** Previous or future passphrases, which verify tokens but never sign them: one passphrase, or a JSON array. */
  previousPassphrases: row('SECURITY_JWT_PASSPHRASE_PREVIOUS', passphrases, { secret: true }),
  /** Disables sessions and the session cookie: the access token alone authenticates the caller. */
  stateless: row('IDENTITY_STATELESS', flag, { default: '0', http: true }),
  /** If the value is store, a logout in stateless mode takes effect at the next request. */
  statelessRevocation: row('STATELESS_REVOCATION', choice('none', 'store'), { default: 'none' }),
  /** The token format; paseto means PASETO v4.public. */
  tokenFormat: row('TOKEN_FORMAT', choice('jwt', 'paseto'), { default: 'jwt' }),
  /** The signature algorithm of JWTs; PASETO always uses Ed25519. */
  tokenAlg: row('TOKEN_ALG', choice('HS512', 'EdDSA'), { otherwise: 'HS512' }),
  /** How long an access token is valid; 5m by default in stateless mode. */
  accessTokenTtl: row('ACCESS_TOKEN_TTL', wholeSeconds('1s', '3650d'), { otherwise: '15m' }),
  /** How long a session lasts without a refresh. */
  refreshTokenTtl: row('REFRESH_TOKEN_TTL', wholeSeconds('1s', '3650d'), { default: '7d' }),
  /** How long a session lasts after its login, even if it is refreshed. */
  sessionTtl: row('SESSION_TTL', wholeSeconds('1s', '3650d'), { default: '30d' }),
  /** The maximum number of sessions per account; one more login ends the oldest session. */
  sessionLimit: row('SESSION_LIMIT', integerOrOff(1, 10_000), { default: 'off' }),
  /** How long a used refresh token still returns the same new token pair. */
  refreshGrace: row('REFRESH_GRACE', duration('0', '60s'), { default: '10s' }),
  /** The header that carries the access token. */
  authorizationHeader: row('IDENTITY_AUTHORIZATION_HEADER', credentialHeader, {
    default: 'X-Authorization',
    http: true,
  }),
  /** The name of the session cookie; a secure cookie is named __Host-<name>. */
  sessionCookieName: row('SESSION_COOKIE_NAME', cookieName, { default: 'sid' }),
  /** Whether the session cookie is Secure; off by default only for http on a loopback address outside production. */
  sessionCookieSecure: row('SESSION_COOKIE_SECURE', flag, { otherwise: '0' }),
  /** The SameSite attribute of the session cookie; none requires a secure cookie and CORS_ORIGINS. */
  sessionCookieSamesite: row('SESSION_COOKIE_SAMESITE', choice('strict', 'lax', 'none'), {
    default: 'strict',
  }),
  /** Whether a login with `remember` gets a cookie that lasts until the session ends. */
  rememberLogin: row('REMEMBER_LOGIN', onOff, { default: 'off', http: true }),
  /** How many logins to an account may fail within a period. */
  loginLimit: row('LOGIN_LIMIT', attemptLimit, { default: 'off' }),
  /** Roles that are effective only after a login with a second factor, separated by commas. */
  secondFactor: row('SECOND_FACTOR', roleKeys),
  /**
   * Whether people can log in with passkeys: on binds passkeys to the host of PUBLIC_URL, a domain to this parent domain. Changing the
   * domain makes all passkeys unusable.
   */
  passkeys: row('PASSKEYS', passkeys, { default: 'off' }),
  /** The minimum length of a new password in characters. */
  passwordMinLength: row('PASSWORD_MIN_LENGTH', integer(1, 1_024), { default: '8', http: true }),
  /**
   * With on, refuses the 10,000 most common passwords, and passwords that consist mostly of the email or the name of the service; a file
   * adds passwords, one per line.
   */
  passwordBlocklist: row('PASSWORD_BLOCKLIST', passwordBlocklist, { default: 'on' }),
  /** The cost of one password hash: log2 N / r / p of scrypt. */
  passwordScrypt: row('PASSWORD_SCRYPT', hashCost, { default: '17/8/1' }),
  /** The maximum number of hashes that are computed concurrently; the default depends on the machine. */
  passwordHashConcurrency: row('PASSWORD_HASH_CONCURRENCY', integer(1, 128)),
  /** The SMTP server, or a folder in which each email is stored as a file; no default outside local development. */
  mailUrl: row('MAIL_URL', mailUrl, { otherwise: 'file:./data/outbox', secret: true }),
  /** The From address of emails; required with an SMTP server. */
  mailFrom: row('MAIL_FROM', sender, { otherwise: 'no-reply@localhost' }),
  /** A folder with custom email templates. */
  mailTemplates: row('MAIL_TEMPLATES', plain('a path', 4_096)),
  /** The account events that cause an email to be sent to the account, separated by commas. */
  notices: row('NOTICES', notices, { default: 'off' }),
  /** The page on which users enter the new password; by default, /reset-password on the origin. */
  resetUrl: row('RESET_URL', resetUrl),
  /** The page on which users confirm a sign-up, an invitation, a change of email or a login by email; by default, /confirm on the origin. */
  confirmUrl: row('CONFIRM_URL', resetUrl),
  /** How people sign up if the permissions allow it: on, approval (an operator approves each account), or invited (only by invitation). */
  signUp: row('SIGN_UP', choice('on', 'approval', 'invited'), { default: 'on', http: true }),
  /** The email domains that people can sign up with, separated by commas; any domain if not set. */
  signUpDomains: row('SIGN_UP_DOMAINS', emailDomains),
  /** How long the link in a password reset email is valid. */
  resetTokenTtl: row('RESET_TOKEN_TTL', wholeSeconds('1m', '1d'), { default: '30m' }),
  /** The maximum time for which an administrator can impersonate an account. */
  impersonationTtl: row('IMPERSONATION_TTL', wholeSeconds('1m', '1d'), { default: '1h' }),
  /** Where audit records are written. */
  audit: row('AUDIT', auditTargets, { default: 'store' }),
  /** How long audit records in the store are kept. */
  auditRetention: row('AUDIT_RETENTION', retention, { default: '365d' }),
  /** The name of the property that contains the result of `app user password` in its output. */
  userModelName: row('USER_MODEL_NAME', modelName, { default: 'User', serviceOnly: true }),
  /** A JSON file with roles and their permissions. */
  permissionsFile: row('PERMISSIONS_FILE', plain('a path', 4_096)),
  /** The credentials that the pet catalog requires: an API key or a login, both, or only an API key. */
  petsSecurity: row('PETS_SECURITY', choice('any', 'all', 'key'), { default: 'any', http: true }),
  /** The request header that carries the API key. */
  petsApiKeyHeader: row('PETS_API_KEY_HEADER', apiKeyHeader, { default: 'X-API-Key', http: true }),
  /** The lowest level of log lines that are written. */
  logLevel: row('LOG_LEVEL', choice('debug', 'info', 'warn', 'error', 'silent'), {
    default: 'info',
    serviceOnly: true,
  }),
  /** The port on which the metrics are served; 0 selects a free port, which is logged. */
  metricsPort: row('METRICS_PORT', integerOrOff(0, 65_535), { default: 'off', serviceOnly: true }),
  /** The address on which the metrics are served. */
  metricsHost: row('METRICS_HOST', listeningHost, { default: '127.0.0.1', serviceOnly: true }),
  /**
   * Whether the HTTP interface has the operator routes under /api/admin; the value `page` also serves the administration page at /admin.
   */
  administration: row('ADMINISTRATION', choice('off', 'on', 'page'), { default: 'off', http: true }),
  /** Whether the service has ready-made pages for users: /login, /sign-up, /reset-password, /confirm and /account. */
  userPages: row('PAGES', onOff, { default: 'off', http: true }),
  /** A JSON file with custom texts for the user pages. */
  pagesTexts: row('PAGES_TEXTS', plain('a path', 4_096)),
  /** Whether /docs serves an interactive page on the HTTP interface; on by default outside production. */
  docs: row('DOCS', onOff, { otherwise: 'on', http: true }),
} as const

type Table = typeof SETTINGS
type Read<One> = One extends Row<infer Value, infer Option> ? [Value, Option] : never

/** The name of a setting, which is also the name of its option. */
export type SettingName = keyof Table

/** The values of all settings; `undefined` if a setting is not set and has no default. */
export type Values = {
  readonly [Name in SettingName]:
    Read<Table[Name]>[0] | (Table[Name] extends { readonly default: string } ? never : undefined)
}

/** The input of `openKennel`. */
export type SettingOptions = {
  readonly [Name in keyof Table as Table[Name] extends { readonly serviceOnly: true } ? never : Name]?:
    Read<Table[Name]>[1] | undefined
}

/** The name of a setting that is also an option. */
export type OptionName = keyof SettingOptions

/** The names of all settings in table order, which is also the order in which errors are reported. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]

export const OPTION_NAMES = SETTING_NAMES.filter(
  (name): name is OptionName => !('serviceOnly' in SETTINGS[name]),
)

/** The name of a setting that the HTTP interface uses. */
export type HttpName = {
  [Name in SettingName]: Table[Name] extends { readonly http: true } ? Name : never
}[SettingName]

export const HTTP_NAMES = SETTING_NAMES.filter((name): name is HttpName => 'http' in SETTINGS[name])

/** The settings whose text can be read from a file. */
export const SECRETS = SETTING_NAMES.filter((name) => 'secret' in SETTINGS[name])

/** The names of all environment variables that Kennel reads. */
export const VARIABLES: readonly string[] = [
  ...SETTING_NAMES.map((name) => SETTINGS[name].variable),
  ...SECRETS.map((name) => `${SETTINGS[name].variable}_FILE`),
]
