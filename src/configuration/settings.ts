import { auditTargets, choice, flag, mode, modelName, onOff, plain, roleKeys } from './choices.js'
import { mailUrl, notices, resetUrl, sender } from './mail.js'
import { hashCost, passphrase, passphrases, passwordBlocklist } from './passwords.js'
import { row, type Row } from './reader.js'
import { store } from './storage.js'
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
  publicOrigin,
  trustProxy,
} from './web.js'

/**
 * Every setting, by the name of its option of `openKennel`. Variables, options, types and docs/operate/settings.md are derived
 * from this table, and the comment of a row is its documentation. A test compares `.env.example` with it.
 * Rules between settings are in rules.ts.
 */
export const SETTINGS = {
  /** `production` turns the conveniences of development off. As an option it is true or false, and true by default. */
  production: row('NODE_ENV', mode, { default: 'development', http: true }),
  /** The address to listen on. */
  host: row('HOST', listeningHost, { default: '127.0.0.1', serviceOnly: true }),
  /** The port to listen on; 0 takes a free one, which the log shows. */
  port: row('PORT', integer(0, 65_535), { default: '3000', serviceOnly: true }),
  /**
   * How many processes answer requests; auto, the default in production on SQLite and MongoDB, is one for each core.
   */
  workers: row('WORKERS', integerOrAuto(1, 128), { otherwise: '1', serviceOnly: true }),
  /** The origin that clients use; required in production and as an option. */
  publicUrl: row('PUBLIC_URL', publicOrigin, { otherwise: 'http://127.0.0.1:3000' }),
  /**
   * How many proxies are in front of the service, or their addresses and networks: only they may tell the address of
   * the client.
   */
  trustProxy: row('TRUST_PROXY', trustProxy, { default: '0', http: true }),
  /** Origins of other sites, apps and extensions whose pages may call with credentials, separated by commas. */
  corsOrigins: row('CORS_ORIGINS', originList, { http: true }),
  /** The largest body of a request. */
  bodyLimit: row('BODY_LIMIT', size('1kb', '16mb'), { default: '64kb', http: true }),
  /** The most connections that may be open; further ones are closed as they come. */
  maxConnections: row('MAX_CONNECTIONS', integer(1, 1_000_000), { default: '10000', serviceOnly: true }),
  /** How long the head and body of a request may take. */
  requestTimeout: row('REQUEST_TIMEOUT', duration('100ms', '1h'), { default: '30s', serviceOnly: true }),
  /**
   * How long a connection may be idle between two requests; 65s by default in production, since load balancers keep
   * idle connections for 60 s.
   */
  keepAliveTimeout: row('KEEP_ALIVE_TIMEOUT', duration('100ms', '1h'), {
    otherwise: '5s',
    serviceOnly: true,
  }),
  /** How long requests may take to end after SIGTERM. */
  shutdownGrace: row('SHUTDOWN_GRACE', duration('0', '1h'), { default: '10s', serviceOnly: true }),
  /**
   * Where data is stored; memory: keeps nothing when the service stops. As an option also an open custom store, which
   * the caller closes.
   */
  store: row('DATABASE_URL', store, { otherwise: 'sqlite:./data/app.db', secret: true }),
  /** A module that opens a custom store and replaces DATABASE_URL: ./my-store.js, or a package. */
  storeModule: row('STORE_MODULE', plain('a path or the name of a package', 4_096), { serviceOnly: true }),
  /** The secret that signs tokens and sessions; `kennel-id key generate --plain` makes one. */
  passphrase: row('SECURITY_JWT_PASSPHRASE', passphrase, { secret: true }),
  /** Earlier or coming passphrases, which verify tokens and never sign: one, or a JSON array of several. */
  previousPassphrases: row('SECURITY_JWT_PASSPHRASE_PREVIOUS', passphrases, { secret: true }),
  /** No sessions and no cookie: the access token alone proves who calls. */
  stateless: row('IDENTITY_STATELESS', flag, { default: '0', http: true }),
  /** With store, a logout in stateless mode is in force at the next request. */
  statelessRevocation: row('STATELESS_REVOCATION', choice('none', 'store'), { default: 'none' }),
  /** The format of tokens; paseto is v4.public. */
  tokenFormat: row('TOKEN_FORMAT', choice('jwt', 'paseto'), { default: 'jwt' }),
  /** The signature of JWTs; PASETO always has Ed25519. */
  tokenAlg: row('TOKEN_ALG', choice('HS512', 'EdDSA'), { otherwise: 'HS512' }),
  /** How long an access token is valid; 5m by default in stateless mode. */
  accessTokenTtl: row('ACCESS_TOKEN_TTL', wholeSeconds('1s', '3650d'), { otherwise: '15m' }),
  /** When a session ends that is not refreshed. */
  refreshTokenTtl: row('REFRESH_TOKEN_TTL', wholeSeconds('1s', '3650d'), { default: '7d' }),
  /** When a session ends after its login, however often it is refreshed. */
  sessionTtl: row('SESSION_TTL', wholeSeconds('1s', '3650d'), { default: '30d' }),
  /** How many sessions an account may have; one more ends the oldest. */
  sessionLimit: row('SESSION_LIMIT', integerOrOff(1, 10_000), { default: 'off' }),
  /** How long a spent refresh token still gives the same new pair, for tabs that refresh concurrently and lost replies. */
  refreshGrace: row('REFRESH_GRACE', duration('0', '60s'), { default: '10s' }),
  /** The header that carries the access token. */
  authorizationHeader: row('IDENTITY_AUTHORIZATION_HEADER', credentialHeader, {
    default: 'X-Authorization',
    http: true,
  }),
  /** The session cookie’s name; a secure one is called __Host-<name>. */
  sessionCookieName: row('SESSION_COOKIE_NAME', cookieName, { default: 'sid' }),
  /** Whether the session cookie is Secure; off by default only for http on a loopback address outside production. */
  sessionCookieSecure: row('SESSION_COOKIE_SECURE', flag, { otherwise: '0' }),
  /** SameSite of the session cookie; none needs a secure cookie and CORS_ORIGINS. */
  sessionCookieSamesite: row('SESSION_COOKIE_SAMESITE', choice('strict', 'lax', 'none'), {
    default: 'strict',
  }),
  /**
   * Whether a login with `remember` gets a session cookie that lives until the end of the session, not only as long as
   * the browser.
   */
  rememberLogin: row('REMEMBER_LOGIN', onOff, { default: 'off', http: true }),
  /** How many logins of an account may fail in a time before further ones get 429. */
  loginLimit: row('LOGIN_LIMIT', attemptLimit, { default: 'off' }),
  /** Roles that count only in a login with a second factor, such as admin, separated by commas. */
  secondFactor: row('SECOND_FACTOR', roleKeys),
  /** The least length of a new password, in characters. */
  passwordMinLength: row('PASSWORD_MIN_LENGTH', integer(1, 1_024), { default: '8', http: true }),
  /**
   * Refuses the 10,000 commonest passwords, and passwords that are mostly the email or the name of the service; also a
   * file of more, one per line, or off.
   */
  passwordBlocklist: row('PASSWORD_BLOCKLIST', passwordBlocklist, { default: 'on' }),
  /** The cost of one password hash: log2 N / r / p of scrypt. */
  passwordScrypt: row('PASSWORD_SCRYPT', hashCost, { default: '17/8/1' }),
  /** How many hashes are computed concurrently; by default it follows from the machine. */
  passwordHashConcurrency: row('PASSWORD_HASH_CONCURRENCY', integer(1, 128)),
  /** The mail server, or a folder that gets a file for each mail; no default outside local development. */
  mailUrl: row('MAIL_URL', mailUrl, { otherwise: 'file:./data/outbox', secret: true }),
  /** The sender of mails, required with a mail server. */
  mailFrom: row('MAIL_FROM', sender, { otherwise: 'no-reply@localhost' }),
  /** A folder with custom templates. */
  mailTemplates: row('MAIL_TEMPLATES', plain('a path', 4_096)),
  /** Which events of an account are mailed to it, separated by commas. */
  notices: row('NOTICES', notices, { default: 'off' }),
  /** The page that asks for the new password; by default /reset-password of the origin. */
  resetUrl: row('RESET_URL', resetUrl),
  /** How long the link in a mail is valid. */
  resetTokenTtl: row('RESET_TOKEN_TTL', wholeSeconds('1m', '1d'), { default: '30m' }),
  /** How long an administrator acts as another account at most. */
  impersonationTtl: row('IMPERSONATION_TTL', wholeSeconds('1m', '1d'), { default: '1h' }),
  /** Where audit records go. */
  audit: row('AUDIT', auditTargets, { default: 'store' }),
  /** How long audit records in the store are kept. */
  auditRetention: row('AUDIT_RETENTION', retention, { default: '365d' }),
  /** The key of the result of `app user password`. */
  userModelName: row('USER_MODEL_NAME', modelName, { default: 'User', serviceOnly: true }),
  /** A JSON file of roles and their permissions; the option permissions takes its content. */
  permissionsFile: row('PERMISSIONS_FILE', plain('a path', 4_096)),
  /** What opens the pet catalogue: an API key or a login, both, or API keys alone. */
  petsSecurity: row('PETS_SECURITY', choice('any', 'all', 'key'), { default: 'any', http: true }),
  /** The header of the API key. */
  petsApiKeyHeader: row('PETS_API_KEY_HEADER', apiKeyHeader, { default: 'X-API-Key', http: true }),
  /** The least level of lines in the log. */
  logLevel: row('LOG_LEVEL', choice('debug', 'info', 'warn', 'error', 'silent'), {
    default: 'info',
    serviceOnly: true,
  }),
  /** The port of the metrics; 0 takes a free one, which the log shows. */
  metricsPort: row('METRICS_PORT', integerOrOff(0, 65_535), { default: 'off', serviceOnly: true }),
  /** The address on which the metrics are served. */
  metricsHost: row('METRICS_HOST', listeningHost, { default: '127.0.0.1', serviceOnly: true }),
  /** A page at /docs to read and try the HTTP interface; on by default outside production. */
  docs: row('DOCS', onOff, { otherwise: 'on', http: true }),
} as const

type Table = typeof SETTINGS
type Read<One> = One extends Row<infer Value, infer Option> ? [Value, Option] : never

/** The name of a setting, which is also the name of its option. */
export type SettingName = keyof Table

/** The value of every setting; `undefined` if it is not set and has no default. */
export type Values = {
  readonly [Name in SettingName]:
    Read<Table[Name]>[0] | (Table[Name] extends { readonly default: string } ? never : undefined)
}

/** What `openKennel` takes. */
export type SettingOptions = {
  readonly [Name in keyof Table as Table[Name] extends { readonly serviceOnly: true } ? never : Name]?:
    Read<Table[Name]>[1] | undefined
}

/** A setting that is an option too. */
export type OptionName = keyof SettingOptions

/** In the order of the table, in which errors are reported. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]

export const OPTION_NAMES = SETTING_NAMES.filter(
  (name): name is OptionName => !('serviceOnly' in SETTINGS[name]),
)

/** A setting that the HTTP interface uses. */
export type HttpName = {
  [Name in SettingName]: Table[Name] extends { readonly http: true } ? Name : never
}[SettingName]

export const HTTP_NAMES = SETTING_NAMES.filter((name): name is HttpName => 'http' in SETTINGS[name])

/** The settings whose text can come from a file. */
export const SECRETS = SETTING_NAMES.filter((name) => 'secret' in SETTINGS[name])

/** The names of all variables that have a meaning. */
export const VARIABLES: readonly string[] = [
  ...SETTING_NAMES.map((name) => SETTINGS[name].variable),
  ...SECRETS.map((name) => `${SETTINGS[name].variable}_FILE`),
]
