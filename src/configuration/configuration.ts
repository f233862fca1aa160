import type { z } from 'zod'
import type { TokenUse } from '../adapters/keyring/key-ring.js'
import type { HashCost } from '../adapters/scrypt/cost.js'
import type { PetSecurity } from '../application/catalogue/authenticate-pet-client.js'
import {
  compilePermissions,
  DEFAULT_PERMISSIONS,
  type PermissionError,
  type PermissionRules,
  type Permissions,
} from '../domain/access/permissions.js'
import type { Lifetimes } from '../domain/identity/session.js'
import type { AttemptLimit } from '../ports/attempt-limiter.js'
import type { LogLevel } from '../ports/log.js'
import { misspelt } from './unknown-variables.js'
import { PRODUCTION_ERRORS, PRODUCTION_WARNINGS } from './production-rules.js'
import {
  accessTokenTtl,
  ERRORS,
  PERMISSION_ERRORS,
  PERMISSION_WARNINGS,
  hasSecureCookie,
  mailDelivery,
  WARNINGS,
  type PermissionsRule,
  type PassphraseRules,
  type Rule,
} from './rules.js'
import type { AuditTarget } from './audit.js'
import type { MailDelivery } from './mail.js'
import type { DatabaseChoice } from './storage.js'
import { KNOWN_NAMES, SECRETS, variables, type Values, type VariableName } from './settings.js'
import { localOrigin } from './web.js'
import { readEnvironment, type EnvironmentError } from './environment.js'
import { judgePermissions, readPermissionsFile, type PermissionsOutcome } from './permissions-file.js'

export { SETTINGS } from './settings.js'
export { localOrigin } from './web.js'
export type { DatabaseChoice } from './storage.js'

/** All settings, checked and frozen. Times in milliseconds, sizes in bytes. */
export type Configuration = {
  /** Every convenience is off. */
  readonly production: boolean
  readonly http: {
    readonly host: string
    /** 0 where any free port will do. */
    readonly port: number
    /** Origin that clients use; missing where it follows from the port that is bound (`localOrigin`). */
    readonly publicUrl?: string
    /** How many proxies stand in front. */
    readonly trustProxy: number
    readonly bodyLimit: number
    readonly requestTimeout: number
    readonly maxConnections: number
    readonly shutdownGrace: number
    readonly corsOrigins: readonly string[]
    /** Whether there is a page at `/docs`. */
    readonly docs: boolean
  }
  /** Missing where no metrics are served; port 0 where any free port will do. */
  readonly metrics?: { readonly host: string; readonly port: number }
  readonly database: DatabaseChoice
  readonly identity: {
    readonly authorizationHeader: string
    /** `name` without the prefix that a secure cookie gets. */
    readonly cookie: {
      readonly name: string
      readonly secure: boolean
      readonly sameSite: 'strict' | 'lax' | 'none'
    }
    readonly lifetimes: Lifetimes
    /** What tokens are signed with. */
    readonly tokenUse: TokenUse
    /** Present where the token alone proves an identity. */
    readonly stateless?: { readonly revocation: 'none' | 'store' }
    readonly userModelName: string
    /** Missing where login attempts are not limited. */
    readonly loginLimit?: AttemptLimit
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
    readonly scrypt: HashCost
    /** Missing where it follows from the machine. */
    readonly hashConcurrency?: number
  }
  readonly pets: { readonly security: PetSecurity; readonly apiKeyHeader: string }
  /** Those of the permission file, else the built-in ones. */
  readonly permissions: Permissions
  readonly permissionsFile?: string
  readonly logLevel: LogLevel | 'silent'
}

/** Faults and warnings are sentences that name their variable and hold no value of any. */
export type ConfigurationOutcome =
  | { readonly ok: true; readonly configuration: Configuration; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly errors: readonly string[] }

/** The configuration of this process: its environment, `.env` and the files that hold secrets. */
export function loadConfiguration(passphrases: PassphraseRules): ConfigurationOutcome {
  const { variables: found, errors } = readEnvironment({ secrets: SECRETS })
  return readConfiguration(found, passphrases, errors)
}

/**
 * Checks all variables, and the permission file that they name, and says every fault at once. `earlier` faults come first; what they are
 * about is not judged a second time. `rules` are used in place of the permission file.
 */
export function readConfiguration(
  environment: Readonly<Record<string, string | undefined>>,
  passphrases: PassphraseRules,
  earlier: readonly EnvironmentError[] = [],
  rules?: PermissionRules,
): ConfigurationOutcome {
  const set = Object.entries(environment).filter(([, text]) => text !== undefined && text !== '')
  const texts = Object.fromEntries(set)
  const { values, unsound, errors } = parse(texts, new Set(earlier.map((error) => error.variable)))
  const broken = (rules: readonly Rule[]) =>
    rules
      .filter(({ about }) => !about.some((name) => unsound.has(name)))
      .flatMap(({ sentence }) => sentence(values, passphrases) ?? [])
  const file = unsound.has('PERMISSIONS_FILE') ? undefined : values.PERMISSIONS_FILE
  const permissions = rules ? judgePermissions(rules) : permissionsOf(file)
  const granted = (rules: readonly PermissionsRule[]) =>
    rules
      .filter(({ about }) => permissions.ok && !about.some((name) => unsound.has(name)))
      .flatMap(({ sentence }) => (permissions.ok && sentence(values, permissions.permissions)) || [])
  const all = [
    ...earlier.map((error) => error.sentence),
    ...misspelt(Object.keys(texts), KNOWN_NAMES),
    ...errors,
    ...broken([...ERRORS, ...PRODUCTION_ERRORS]),
    ...granted(PERMISSION_ERRORS),
    ...(permissions.ok ? [] : permissions.errors.map(permissionSentence)),
  ]
  if (all.length > 0 || !permissions.ok) return { ok: false, errors: all }
  const configuration = configurationOf(values, permissions.permissions)
  return {
    ok: true,
    configuration: frozen(configuration),
    warnings: [...broken([...WARNINGS, ...PRODUCTION_WARNINGS]), ...granted(PERMISSION_WARNINGS)],
  }
}

type Mask = { [K in VariableName]: true }

/** Of `values` only those are there whose names are not `unsound`; rules look at no others. */
function parse(texts: Record<string, string | undefined>, unreadable: ReadonlySet<string>) {
  const readable = Object.fromEntries(Object.entries(texts).filter(([name]) => !unreadable.has(name)))
  const result = variables.safeParse(readable)
  if (result.success) return { values: result.data, unsound: unreadable, errors: [] }
  const errors = result.error.issues.map(({ path, message }) => ({ name: String(path[0]), message }))
  const malformed = errors.map(({ name }) => name)
  const sound: z.ZodType = variables.omit(Object.fromEntries(malformed.map((name) => [name, true])) as Mask)
  return {
    values: sound.parse(readable) as Values,
    unsound: new Set([...unreadable, ...malformed]),
    errors: errors.map(({ name, message }) => `${name} ${message}`),
  }
}

function permissionsOf(file: string | undefined): PermissionsOutcome {
  return file === undefined ? compilePermissions(DEFAULT_PERMISSIONS) : readPermissionsFile(file)
}

function permissionSentence({ path, rule }: PermissionError): string {
  return path === '' ? `PERMISSIONS_FILE ${rule}` : `PERMISSIONS_FILE: ${path} ${rule}`
}

function configurationOf(values: Values, permissions: Permissions): Configuration {
  const { SECURITY_JWT_PASSPHRASE: passphrase, PERMISSIONS_FILE: permissionsFile } = values
  return {
    production: values.NODE_ENV === 'production',
    http: httpOf(values),
    ...metricsOf(values),
    database: values.DATABASE_URL,
    identity: identityOf(values),
    keys: {
      ...(passphrase !== undefined && { passphrase }),
      previous: values.SECURITY_JWT_PASSPHRASE_PREVIOUS ?? [],
    },
    passwords: passwordsOf(values),
    pets: { security: values.PETS_SECURITY, apiKeyHeader: values.PETS_API_KEY_HEADER },
    mail: mailOf(values),
    audit: { targets: values.AUDIT, ...(values.AUDIT_RETENTION && { retention: values.AUDIT_RETENTION }) },
    permissions,
    ...(permissionsFile !== undefined && { permissionsFile }),
    logLevel: values.LOG_LEVEL,
  }
}

function metricsOf({ METRICS_HOST: host, METRICS_PORT: port }: Values): Pick<Configuration, 'metrics'> {
  return port === undefined ? {} : { metrics: { host, port } }
}

function mailOf(values: Values): Configuration['mail'] {
  const { MAIL_FROM: from = 'no-reply@localhost', MAIL_TEMPLATES: templates } = values
  const delivery = mailDelivery(values)
  return { from, ...(delivery && { delivery }), ...(templates !== undefined && { templates }) }
}

function httpOf(values: Values): Configuration['http'] {
  const { HOST: host, PORT: port } = values
  const publicUrl = values.PUBLIC_URL ?? (port === 0 ? undefined : localOrigin(host, port))
  return {
    host,
    port,
    ...(publicUrl !== undefined && { publicUrl }),
    trustProxy: values.TRUST_PROXY,
    bodyLimit: values.BODY_LIMIT,
    requestTimeout: values.REQUEST_TIMEOUT,
    maxConnections: values.MAX_CONNECTIONS,
    shutdownGrace: values.SHUTDOWN_GRACE,
    corsOrigins: values.CORS_ORIGINS ?? [],
    docs: values.DOCS ?? values.NODE_ENV !== 'production',
  }
}

function identityOf(values: Values): Configuration['identity'] {
  return {
    authorizationHeader: values.IDENTITY_AUTHORIZATION_HEADER,
    cookie: {
      name: values.SESSION_COOKIE_NAME,
      secure: hasSecureCookie(values),
      sameSite: values.SESSION_COOKIE_SAMESITE,
    },
    lifetimes: {
      accessToken: accessTokenTtl(values),
      refreshToken: values.REFRESH_TOKEN_TTL,
      session: values.SESSION_TTL,
      refreshGrace: values.REFRESH_GRACE,
    },
    tokenUse: values.TOKEN_FORMAT === 'paseto' ? 'v4.public' : (values.TOKEN_ALG ?? 'HS512'),
    ...(values.IDENTITY_STATELESS && { stateless: { revocation: values.STATELESS_REVOCATION } }),
    userModelName: values.USER_MODEL_NAME,
    ...(values.LOGIN_LIMIT && { loginLimit: values.LOGIN_LIMIT }),
    impersonationTtl: values.IMPERSONATION_TTL,
    resetTokenTtl: values.RESET_TOKEN_TTL,
    ...(values.RESET_URL !== undefined && { resetUrl: values.RESET_URL }),
  }
}

function passwordsOf(values: Values): Configuration['passwords'] {
  const { PASSWORD_HASH_CONCURRENCY: hashConcurrency } = values
  return {
    minLength: values.PASSWORD_MIN_LENGTH,
    scrypt: values.PASSWORD_SCRYPT,
    ...(hashConcurrency !== undefined && { hashConcurrency }),
  }
}

function frozen<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) frozen(member)
  return Object.freeze(value)
}
