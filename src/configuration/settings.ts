import { auditTargets, retention } from './audit.js'
import { choice, flag, mode, modelName, onOff, plain, roleKeys } from './choices.js'
import { mailUrl, notices, resetUrl, sender } from './mail.js'
import { row, type Row } from './row.js'
import { passwordBlocklist } from './passwords.js'
import { hashCost, passphrase, passphrases, store } from './storage.js'
import { trustProxy } from './trusted-proxies.js'
import { attemptLimit, duration, integer, integerOrAuto, integerOrOff, size, wholeSeconds } from './units.js'
import { apiKeyHeader, cookieName, credentialHeader, listeningHost, originList, publicOrigin } from './web.js'

/**
 * Every setting by its name, which is that of its option of `openKennel`. The environment is read and told of by this
 * table, options are, and so are the types of both; `.env.example` and docs/operate/settings.md are checked against it.
 * Rules between settings are in rules.ts.
 */
export const SETTINGS = {
  /** True by default; false lets a loopback `publicUrl` have cookies without TLS. */
  production: row('NODE_ENV', mode, {
    default: 'development',
    help: 'production turns the conveniences of development off; as an option a switch, on by default',
  }),
  host: row('HOST', listeningHost, {
    default: '127.0.0.1',
    serviceOnly: true,
    help: 'the address to listen on',
  }),
  port: row('PORT', integer(0, 65_535), {
    default: '3000',
    serviceOnly: true,
    help: 'the port to listen on; 0 takes a free one, which the log shows',
  }),
  workers: row('WORKERS', integerOrAuto(1, 128), {
    otherwise: '1',
    serviceOnly: true,
    help: 'how many processes answer requests; auto, the default in production on SQLite and MongoDB, is one for each core',
  }),
  publicUrl: row('PUBLIC_URL', publicOrigin, {
    otherwise: 'http://127.0.0.1:3000',
    help: 'the origin that clients use; required in production and as an option',
  }),
  trustProxy: row('TRUST_PROXY', trustProxy, {
    default: '0',
    help: 'how many proxies are in front of the service, or their addresses and networks: only they may tell the address of the client',
  }),
  corsOrigins: row('CORS_ORIGINS', originList, {
    help: 'origins of other sites, apps and extensions whose pages may call with credentials, separated by commas',
  }),
  bodyLimit: row('BODY_LIMIT', size('1kb', '16mb'), {
    default: '64kb',
    help: 'the largest body of a request',
  }),
  maxConnections: row('MAX_CONNECTIONS', integer(1, 1_000_000), {
    default: '10000',
    serviceOnly: true,
    help: 'how many connections are open at once; further ones are closed as they come',
  }),
  requestTimeout: row('REQUEST_TIMEOUT', duration('100ms', '1h'), {
    default: '30s',
    serviceOnly: true,
    help: 'how long the head and body of a request may take',
  }),
  keepAliveTimeout: row('KEEP_ALIVE_TIMEOUT', duration('100ms', '1h'), {
    otherwise: '5s',
    serviceOnly: true,
    help: 'how long a connection may be idle between two requests; 65s by default in production, since load balancers keep idle connections for 60 s',
  }),
  shutdownGrace: row('SHUTDOWN_GRACE', duration('0', '1h'), {
    default: '10s',
    serviceOnly: true,
    help: 'how long requests may take to end after SIGTERM',
  }),
  /** A URL, or an open store of your own, which stays yours to close. */
  store: row('DATABASE_URL', store, {
    otherwise: 'sqlite:./data/app.db',
    secret: true,
    help: 'where data is stored; memory: keeps nothing when the service stops; as an option also an open store of your own',
  }),
  storeModule: row('STORE_MODULE', plain('a path or the name of a package', 4_096), {
    serviceOnly: true,
    help: 'a module that opens a store of your own, in place of DATABASE_URL: ./my-store.js, or a package',
  }),
  passphrase: row('SECURITY_JWT_PASSPHRASE', passphrase, {
    secret: true,
    help: 'the secret that signs tokens and sessions; `kennel-id key generate --plain` makes one',
  }),
  previousPassphrases: row('SECURITY_JWT_PASSPHRASE_PREVIOUS', passphrases, {
    secret: true,
    help: 'earlier or coming passphrases, which verify tokens and never sign: one, or a JSON array of several',
  }),
  stateless: row('IDENTITY_STATELESS', flag, {
    default: '0',
    help: 'no sessions and no cookie: the access token alone proves who calls',
  }),
  statelessRevocation: row('STATELESS_REVOCATION', choice('none', 'store'), {
    default: 'none',
    help: 'with store, a logout in stateless mode is in force at the next request',
  }),
  tokenFormat: row('TOKEN_FORMAT', choice('jwt', 'paseto'), {
    default: 'jwt',
    help: 'the format of tokens; paseto is v4.public',
  }),
  tokenAlg: row('TOKEN_ALG', choice('HS512', 'EdDSA'), {
    otherwise: 'HS512',
    help: 'the signature of JWTs; PASETO always has Ed25519',
  }),
  accessTokenTtl: row('ACCESS_TOKEN_TTL', wholeSeconds('1s', '3650d'), {
    otherwise: '15m',
    help: 'how long an access token is valid; 5m by default in stateless mode',
  }),
  refreshTokenTtl: row('REFRESH_TOKEN_TTL', wholeSeconds('1s', '3650d'), {
    default: '7d',
    help: 'when a session ends that is not refreshed',
  }),
  sessionTtl: row('SESSION_TTL', wholeSeconds('1s', '3650d'), {
    default: '30d',
    help: 'when a session ends after its login, however often it is refreshed',
  }),
  sessionLimit: row('SESSION_LIMIT', integerOrOff(1, 10_000), {
    default: 'off',
    help: 'how many sessions an account may have; one more ends the oldest',
  }),
  refreshGrace: row('REFRESH_GRACE', duration('0', '60s'), {
    default: '10s',
    help: 'how long a spent refresh token still gives the same new pair, for tabs that refresh at once and lost replies',
  }),
  authorizationHeader: row('IDENTITY_AUTHORIZATION_HEADER', credentialHeader, {
    default: 'X-Authorization',
    help: 'the header that carries the access token',
  }),
  sessionCookieName: row('SESSION_COOKIE_NAME', cookieName, {
    default: 'sid',
    help: 'the session cookie’s name; a secure one is called __Host-<name>',
  }),
  sessionCookieSecure: row('SESSION_COOKIE_SECURE', flag, {
    otherwise: '0',
    help: 'whether the session cookie is Secure; off by default only for http on a loopback address outside production',
  }),
  sessionCookieSamesite: row('SESSION_COOKIE_SAMESITE', choice('strict', 'lax', 'none'), {
    default: 'strict',
    help: 'SameSite of the session cookie; none needs a secure cookie and CORS_ORIGINS',
  }),
  loginLimit: row('LOGIN_LIMIT', attemptLimit, {
    default: 'off',
    help: 'how many logins of an account may fail in a time before further ones get 429',
  }),
  secondFactor: row('SECOND_FACTOR', roleKeys, {
    help: 'roles that count only in a login with a second factor, such as admin, separated by commas',
  }),
  passwordMinLength: row('PASSWORD_MIN_LENGTH', integer(1, 1_024), {
    default: '8',
    help: 'the least length of a new password, in characters',
  }),
  passwordBlocklist: row('PASSWORD_BLOCKLIST', passwordBlocklist, {
    default: 'on',
    help: 'refuses the 10,000 commonest passwords and those that are mostly the email or the name of the service; also a file of more, one a line, or off',
  }),
  passwordScrypt: row('PASSWORD_SCRYPT', hashCost, {
    default: '17/8/1',
    help: 'what one password hash costs: log2 N / r / p of scrypt',
  }),
  passwordHashConcurrency: row('PASSWORD_HASH_CONCURRENCY', integer(1, 128), {
    help: 'how many hashes are computed at once; by default it follows from the machine',
  }),
  mailUrl: row('MAIL_URL', mailUrl, {
    otherwise: 'file:./data/outbox',
    secret: true,
    help: 'the mail server, or a folder that gets a file for each mail; no default outside local development',
  }),
  mailFrom: row('MAIL_FROM', sender, {
    otherwise: 'no-reply@localhost',
    help: 'the sender of mails, required with a mail server',
  }),
  mailTemplates: row('MAIL_TEMPLATES', plain('a path', 4_096), {
    help: 'a folder with templates of your own',
  }),
  notices: row('NOTICES', notices, {
    default: 'off',
    help: 'which events of an account are mailed to it, separated by commas',
  }),
  resetUrl: row('RESET_URL', resetUrl, {
    help: 'the page where a new password is typed; by default /reset-password of the origin',
  }),
  resetTokenTtl: row('RESET_TOKEN_TTL', wholeSeconds('1m', '1d'), {
    default: '30m',
    help: 'how long the link in a mail is valid',
  }),
  impersonationTtl: row('IMPERSONATION_TTL', wholeSeconds('1m', '1d'), {
    default: '1h',
    help: 'how long an administrator acts as another account at most',
  }),
  audit: row('AUDIT', auditTargets, {
    default: 'store',
    help: 'where audit records go',
  }),
  auditRetention: row('AUDIT_RETENTION', retention, {
    default: '365d',
    help: 'how long audit records in the store are kept',
  }),
  userModelName: row('USER_MODEL_NAME', modelName, {
    default: 'User',
    serviceOnly: true,
    help: 'the key of the result of `app user password`',
  }),
  permissionsFile: row('PERMISSIONS_FILE', plain('a path', 4_096), {
    help: 'a JSON file of roles and what they may do; the option permissions takes its content',
  }),
  petsSecurity: row('PETS_SECURITY', choice('any', 'all', 'key'), {
    default: 'any',
    help: 'what opens the pet catalogue: an API key or a login, both, or API keys alone',
  }),
  petsApiKeyHeader: row('PETS_API_KEY_HEADER', apiKeyHeader, {
    default: 'X-API-Key',
    help: 'the header of the API key',
  }),
  logLevel: row('LOG_LEVEL', choice('debug', 'info', 'warn', 'error', 'silent'), {
    default: 'info',
    serviceOnly: true,
    help: 'the least level of lines in the log',
  }),
  metricsPort: row('METRICS_PORT', integerOrOff(0, 65_535), {
    default: 'off',
    serviceOnly: true,
    help: 'the port of the metrics; 0 takes a free one, which the log shows',
  }),
  metricsHost: row('METRICS_HOST', listeningHost, {
    default: '127.0.0.1',
    serviceOnly: true,
    help: 'the address on which the metrics are served',
  }),
  docs: row('DOCS', onOff, {
    otherwise: 'on',
    help: 'a page at /docs to read and try the HTTP interface; on by default outside production',
  }),
} as const

type Table = typeof SETTINGS
type Read<One> = One extends Row<infer Value, infer Option> ? [Value, Option] : never

/** As its option is called. */
export type SettingName = keyof Table

/** What every setting is; `undefined` where it is not set and has no default of its own. */
export type Values = {
  readonly [Name in SettingName]:
    Read<Table[Name]>[0] | (Table[Name] extends { readonly default: string } ? never : undefined)
}

/** What `openKennel` takes. */
export type SettingOptions = {
  readonly [Name in SettingName as Table[Name] extends { readonly serviceOnly: true } ? never : Name]?:
    Read<Table[Name]>[1] | undefined
}

/** A setting that is an option too. */
export type OptionName = keyof SettingOptions

/** In the order in which they are read and told of. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]

export const OPTION_NAMES = SETTING_NAMES.filter(
  (name): name is OptionName => !('serviceOnly' in SETTINGS[name]),
)

/** Those that can come from a file. */
export const SECRETS = SETTING_NAMES.filter((name) => 'secret' in SETTINGS[name])

/** Every name of a variable that means something. */
export const VARIABLES: readonly string[] = [
  ...SETTING_NAMES.map((name) => SETTINGS[name].variable),
  ...SECRETS.map((name) => `${SETTINGS[name].variable}_FILE`),
]
