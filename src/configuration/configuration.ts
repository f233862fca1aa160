import type { Permissions } from '../domain/access/permissions.js'
import type { RoleKey } from '../domain/access/role.js'
import type { TrustProxy } from '../domain/identity/address-network.js'
import type { Lifetimes } from '../domain/identity/session.js'
import type { ChosenTopic } from '../domain/mail.js'
import type { AttemptLimit } from '../ports/attempt-limiter.js'
import type { LogLevel } from '../ports/log.js'
import type { HashCost } from '../ports/password-hasher.js'
import type { TokenUse } from '../ports/token-format.js'
import type { AuditTarget } from './audit.js'
import { accessTokenTtl, hasSecureCookie, mailDelivery, workersOf } from './derived.js'
import type { MailDelivery } from './mail.js'
import type { BlocklistChoice } from './passwords.js'
import type { Values } from './settings.js'
import { DEFAULT_DATABASE, type DatabaseChoice, type StoreModule } from './storage.js'
import { localOrigin } from './web.js'

/** All settings, checked and frozen. Times in milliseconds, sizes in bytes. */
export type Configuration = {
  /** Every convenience is off. */
  readonly production: boolean
  /** How many processes answer requests; `auto` for one on each core. */
  readonly workers: number | 'auto'
  readonly http: {
    readonly host: string
    /** 0 where any free port will do. */
    readonly port: number
    /** Origin that clients use; missing where it follows from the port that is bound (`localOrigin`). */
    readonly publicUrl?: string
    /** How many proxies are in front, or their addresses and networks. */
    readonly trustProxy: TrustProxy
    readonly bodyLimit: number
    readonly requestTimeout: number
    readonly maxConnections: number
    readonly keepAliveTimeout: number
    readonly shutdownGrace: number
    readonly corsOrigins: readonly string[]
    /** Whether there is a page at `/docs`. */
    readonly docs: boolean
  }
  /** Missing where no metrics are served; port 0 where any free port will do. */
  readonly metrics?: { readonly host: string; readonly port: number }
  readonly database: DatabaseChoice | StoreModule
  readonly identity: {
    readonly authorizationHeader: string
    /** `name` without the prefix that a secure cookie gets. */
    readonly cookie: {
      readonly name: string
      readonly secure: boolean
      readonly sameSite: 'strict' | 'lax' | 'none'
    }
    readonly lifetimes: Lifetimes
    /** How many sessions an account may have; missing where there is no limit. */
    readonly sessionLimit?: number
    /** What tokens are signed with. */
    readonly tokenUse: TokenUse
    /** Present where the token alone proves an identity. */
    readonly stateless?: { readonly revocation: 'none' | 'store' }
    readonly userModelName: string
    /** Missing where login attempts are not limited. */
    readonly loginLimit?: AttemptLimit
    /** Roles that count only in a login with a second factor. */
    readonly secondFactor: readonly RoleKey[]
    readonly impersonationTtl: number
    readonly resetTokenTtl: number
    /** Missing where it follows from the origin. */
    readonly resetUrl?: string
  }
  readonly mail: {
    /** Missing where none can leave. */
    readonly delivery?: MailDelivery
    readonly from: string
    /** Folder of templates; missing for our own. */
    readonly templates?: string
    /** What accounts are told of. */
    readonly notices: readonly ChosenTopic[]
  }
  readonly audit: {
    readonly targets: readonly AuditTarget[]
    /** Missing where records are kept for ever. */
    readonly retention?: number
  }
  /** Without `passphrase` one is generated for development. */
  readonly keys: { readonly passphrase?: string; readonly previous: readonly string[] }
  readonly passwords: {
    readonly minLength: number
    /** Missing where the length is all that counts. */
    readonly blocklist?: BlocklistChoice
    readonly scrypt: HashCost
    /** Missing where it follows from the machine. */
    readonly hashConcurrency?: number
  }
  readonly pets: { readonly security: Values['petsSecurity']; readonly apiKeyHeader: string }
  /** Those of the permission file, else the built-in ones. */
  readonly permissions: Permissions
  readonly permissionsFile?: string
  readonly logLevel: LogLevel | 'silent'
}

/** What follows from settings that break no rule. */
export function configurationOf(values: Values, permissions: Permissions): Configuration {
  const { passphrase, permissionsFile } = values
  return frozen({
    production: values.production,
    workers: workersOf(values),
    http: httpOf(values),
    ...metricsOf(values),
    database: databaseOf(values),
    identity: identityOf(values),
    keys: {
      ...(passphrase !== undefined && { passphrase }),
      previous: values.previousPassphrases ?? [],
    },
    passwords: passwordsOf(values),
    pets: { security: values.petsSecurity, apiKeyHeader: values.petsApiKeyHeader },
    mail: mailOf(values),
    audit: { targets: values.audit, ...(values.auditRetention && { retention: values.auditRetention }) },
    permissions,
    ...(permissionsFile !== undefined && { permissionsFile }),
    logLevel: values.logLevel,
  })
}

function databaseOf({ store = DEFAULT_DATABASE, storeModule: specifier }: Values): Configuration['database'] {
  return specifier === undefined ? store : { kind: 'module', specifier }
}

function metricsOf({ metricsHost: host, metricsPort: port }: Values): Pick<Configuration, 'metrics'> {
  return port === undefined ? {} : { metrics: { host, port } }
}

function mailOf(values: Values): Configuration['mail'] {
  const { mailFrom: from = 'no-reply@localhost', mailTemplates: templates } = values
  const delivery = mailDelivery(values)
  return {
    from,
    ...(delivery && { delivery }),
    ...(templates !== undefined && { templates }),
    notices: values.notices,
  }
}

function httpOf(values: Values): Configuration['http'] {
  const { host, port } = values
  const publicUrl = values.publicUrl ?? (port === 0 ? undefined : localOrigin(host, port))
  return {
    host,
    port,
    ...(publicUrl !== undefined && { publicUrl }),
    trustProxy: values.trustProxy,
    bodyLimit: values.bodyLimit,
    requestTimeout: values.requestTimeout,
    maxConnections: values.maxConnections,
    keepAliveTimeout: values.keepAliveTimeout ?? (values.production ? 65_000 : 5_000),
    shutdownGrace: values.shutdownGrace,
    corsOrigins: values.corsOrigins ?? [],
    docs: values.docs ?? !values.production,
  }
}

function identityOf(values: Values): Configuration['identity'] {
  return {
    authorizationHeader: values.authorizationHeader,
    cookie: {
      name: values.sessionCookieName,
      secure: hasSecureCookie(values),
      sameSite: values.sessionCookieSamesite,
    },
    lifetimes: {
      accessToken: accessTokenTtl(values),
      refreshToken: values.refreshTokenTtl,
      session: values.sessionTtl,
      refreshGrace: values.refreshGrace,
    },
    ...(values.sessionLimit !== undefined && { sessionLimit: values.sessionLimit }),
    tokenUse: values.tokenFormat === 'paseto' ? 'v4.public' : (values.tokenAlg ?? 'HS512'),
    ...(values.stateless && { stateless: { revocation: values.statelessRevocation } }),
    userModelName: values.userModelName,
    ...(values.loginLimit && { loginLimit: values.loginLimit }),
    secondFactor: values.secondFactor ?? [],
    impersonationTtl: values.impersonationTtl,
    resetTokenTtl: values.resetTokenTtl,
    ...(values.resetUrl !== undefined && { resetUrl: values.resetUrl }),
  }
}

function passwordsOf(values: Values): Configuration['passwords'] {
  const { passwordHashConcurrency: hashConcurrency, passwordBlocklist: blocklist } = values
  return {
    minLength: values.passwordMinLength,
    ...(blocklist && { blocklist }),
    scrypt: values.passwordScrypt,
    ...(hashConcurrency !== undefined && { hashConcurrency }),
  }
}

function frozen<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) frozen(member)
  return Object.freeze(value)
}
