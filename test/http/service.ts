import type { Store } from '../../src/ports/store.js'
import { createApiKeySecrets, type TokenUse } from '../../src/adapters/keyring/index.js'
import { bindServer, createHttpService, type HttpSettings } from '../../src/adapters/koa/index.js'
import { createScryptHasher, rememberVerifications, type Kdf } from '../../src/adapters/scrypt/index.js'
import { systemDigest, systemRandomness } from '../../src/adapters/system/index.js'
import { composeUseCases, type Resolve } from '../../src/composition-root/container.js'
import type { Foundation } from '../../src/composition-root/foundation-parts.js'
import { createCredentials, type Credentials } from '../../src/composition-root/credentials.js'
import type { Mode } from '../../src/composition-root/identity.js'
import { httpUseCases } from '../../src/composition-root/http-use-cases.js'
import { TOKENS } from '../../src/composition-root/tokens.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import {
  compilePermissions,
  DEFAULT_PERMISSIONS,
  type PermissionRules,
} from '../../src/domain/access/permissions.js'
import type { Lifetimes } from '../../src/domain/identity/session.js'
import type { PetSecurity } from '../../src/application/catalogue/authenticate-pet-client.js'
import type { PasswordHasher } from '../../src/ports/password-hasher.js'
import type { AttemptLimit } from '../../src/ports/attempt-limiter.js'
import type { AuditSink } from '../../src/ports/audit-log.js'
import type { Mailer, MailTemplates } from '../../src/ports/mailer.js'
import type { Log } from '../../src/ports/log.js'
import { createClient, type Client } from './client.js'
import { openAnyStore } from './identity/stores.js'
import { createReplyCheck, type ApiDocument, type ReplyCheck } from './reply-check.js'

export const PASSPHRASE = 'Only-for-tests: 4 kennels & 12 hounds'
/** The application's page, somewhere else than the service. */
export const RESET_URL = 'https://app.example/new-password'
export const PASSWORD = 'correct horse battery'
export const START = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

export type TestOptions = {
  readonly store?: Store
  /** Stands in front of the service's own store, to count, to hold or to replace calls. */
  readonly aroundStore?: (store: Store) => Store
  readonly settings?: Partial<HttpSettings>
  readonly lifetimes?: Partial<Lifetimes>
  readonly permissions?: PermissionRules
  readonly petSecurity?: PetSecurity
  readonly passphrases?: { readonly current: string; readonly previous: readonly string[] }
  /** What tokens are signed with; else what the run is for. */
  readonly tokenUse?: TokenUse
  /** Whether a session stands behind the tokens; else what the run is for. */
  readonly mode?: (store: Store) => Mode
  readonly loginLimit?: AttemptLimit
  readonly hashConcurrency?: number
  /** Stands in for the expensive computations themselves, below the pool that bounds them. */
  readonly kdf?: Kdf
  /** Stands in front of the real hasher, to count or to hold calls. */
  readonly aroundHasher?: (hasher: PasswordHasher) => PasswordHasher
  readonly log?: Log
  /** Where audit records go; the store by default. */
  readonly auditSinks?: (store: Store) => readonly AuditSink[]
  readonly onAuditLost?: (error: unknown) => void
  /** Without it mails are queued and none is sent. */
  readonly mail?: { readonly mailer: Mailer; readonly templates: MailTemplates } & Partial<
    NonNullable<Foundation['mail']>
  >
  readonly requestTimeout?: number
  /** Where the clock stands at first; START. */
  readonly startAt?: number
  readonly probePatience?: number
}

export type TestService = {
  readonly origin: string
  readonly client: Client
  readonly store: Store
  readonly resolve: Resolve
  /** Milliseconds; moved by hand. */
  readonly clock: { now: number }
  readonly secrets: { passphrase: string }
  /** Makes an account with PASSWORD and these roles (made where they are missing); gives its id. */
  account(email: string, roles?: readonly string[]): Promise<number>
  /** Makes an API key with these roles. */
  apiKey(roles?: readonly string[]): Promise<string>
  /** Stops serving; the store is closed too, unless it was passed in. */
  close(): Promise<void>
}

const SILENT: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  enabled: () => false,
}

/** The real service on a real socket, with a clock that stands still and cheap password hashes. */
export async function startService(options: TestOptions = {}): Promise<TestService> {
  const server = await bindServer('127.0.0.1', 0, { requestTimeout: options.requestTimeout ?? 30_000 })
  const origin = `http://127.0.0.1:${String(server.port)}`
  const clock = { now: options.startAt ?? START }
  const store = options.store ?? (options.aroundStore ?? itself)(await openAnyStore())
  const mode = (options.mode ?? modeOfRun)(store)
  const publicUrl = options.settings?.publicUrl ?? origin
  const credentials = await credentialsOf(options, publicUrl, mode)
  const settings = testSettings(publicUrl, { mode, credentials, settings: options.settings ?? {} })
  const resolve = compose(options, { store, clock, mode, credentials })
  const readiness = () => store.ready()
  const app = createHttpService({
    useCases: httpUseCases(resolve),
    settings,
    readiness,
    log: options.log ?? SILENT,
    ...(options.probePatience !== undefined && { probePatience: options.probePatience }),
  })
  const answer = app.callback()
  server.serve((request, response) => void answer(request, response))
  const client = await checkedClient(origin)
  return {
    origin,
    client,
    store,
    resolve,
    clock,
    secrets: { passphrase: (options.passphrases ?? { current: PASSPHRASE }).current },
    account: (email, roles = []) => makeAccount(resolve, store, email, roles),
    apiKey: (roles = []) => makeApiKey(resolve, store, roles),
    close: async () => {
      client.close()
      await server.drain(1000)
      if (!options.store) await store.close()
    },
  }
}

const itself = (store: Store) => store

/** What this run of the suite is for: see scripts/test.js. */
export const TOKEN_USE = (process.env['TEST_TOKENS'] ?? 'HS512') as TokenUse
export const STATELESS = process.env['TEST_MODE'] === 'stateless'

/** Stateless runs ask the revocations, so that whatever ends a session ends a login there too. */
function modeOfRun(store: Store): Mode {
  return STATELESS ? { kind: 'stateless', revocations: store.revocations } : { kind: 'stateful' }
}

/** A client whose replies are checked against the description that it gets with its first call. */
async function checkedClient(origin: string): Promise<Client> {
  const checks: ReplyCheck[] = []
  const client = createClient(origin, () => checks[0])
  checks.push(createReplyCheck((await client.call('GET', '/openapi.json')).json as ApiDocument))
  return client
}

type Chosen = { mode: Mode; credentials: Credentials; settings: Partial<HttpSettings> }

function testSettings(publicUrl: string, { mode, credentials, settings }: Chosen): HttpSettings {
  return {
    publicUrl,
    stateless: mode.kind === 'stateless',
    publicKeys: credentials.publicKeys,
    authorizationHeader: 'X-Authorization',
    trustProxy: 0,
    cookie: { name: 'sid', secure: false, sameSite: 'strict' },
    apiKeyHeader: 'X-API-Key',
    corsOrigins: [],
    bodyLimit: 64 * 1024,
    ...settings,
  }
}

function lifetimesOf({ lifetimes }: TestOptions): Lifetimes {
  return {
    accessToken: 900_000,
    refreshToken: 604_800_000,
    session: 2_592_000_000,
    refreshGrace: 10_000,
    ...lifetimes,
  }
}

async function credentialsOf(options: TestOptions, issuer: string, mode: Mode): Promise<Credentials> {
  return await createCredentials({
    passphrases: options.passphrases ?? { current: PASSPHRASE, previous: [] },
    use: options.tokenUse ?? TOKEN_USE,
    issuer,
    lifetimes: lifetimesOf(options),
    stateless: mode.kind === 'stateless',
  })
}

type Parts = { store: Store; clock: { now: number }; mode: Mode; credentials: Credentials }

function compose(options: TestOptions, { store, clock, mode, credentials }: Parts): Resolve {
  const cost = { logN: 10, r: 8, p: 1 }
  const cheap = createScryptHasher({ cost, concurrency: options.hashConcurrency ?? 2 }, options.kdf)
  const hasher = options.aroundHasher?.(cheap) ?? cheap
  const compiled = compilePermissions(options.permissions ?? DEFAULT_PERMISSIONS)
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults))
  return composeUseCases({
    store,
    clock: () => clock.now,
    randomness: systemRandomness,
    digest: systemDigest,
    hasher,
    rememberingHasher: rememberVerifications(hasher, { size: 100, now: () => performance.now() }),
    apiKeySecrets: createApiKeySecrets(),
    permissions: compiled.permissions,
    lifetimes: lifetimesOf(options),
    mode,
    ...(options.loginLimit && { loginLimit: options.loginLimit }),
    impersonationTtl: 3_600_000,
    auditSinks: options.auditSinks?.(store) ?? [store.audit],
    ...(options.onAuditLost && { onAuditLost: options.onAuditLost }),
    operator: 'tester',
    ...(options.mail && { mail: { resetTokenTtl: 1_800_000, resetUrl: RESET_URL, ...options.mail } }),
    ...(options.log && { log: options.log }),
    minPasswordLength: 8,
    petSecurity: options.petSecurity ?? 'any',
    credentials,
  })
}

async function makeRoles(resolve: Resolve, store: Store, roles: readonly string[]): Promise<void> {
  const known = new Set((await store.roles.list()).map(({ key }) => String(key)))
  for (const key of roles) {
    if (!known.has(key)) await resolve(TOKENS.createRole)({ caller: OPERATOR, key, label: `Label of ${key}` })
  }
}

async function makeAccount(
  resolve: Resolve,
  store: Store,
  email: string,
  roles: readonly string[],
): Promise<number> {
  await makeRoles(resolve, store, roles)
  const id = await resolve(TOKENS.createUser)({ caller: OPERATOR, email, password: PASSWORD })
  for (const role of roles) await resolve(TOKENS.assignRole)({ caller: OPERATOR, email, role })
  return id
}

async function makeApiKey(resolve: Resolve, store: Store, roles: readonly string[]): Promise<string> {
  await makeRoles(resolve, store, roles)
  return (await resolve(TOKENS.createApiKey)({ caller: OPERATOR, name: 'test key', roles })).key
}
