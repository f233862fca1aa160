import type { Store } from '../../../src/ports/store.js'
import type { TokenUse } from '../../../src/adapters/keyring/index.js'
import { bindServer, createHttpService, type HttpSettings } from '../../../src/adapters/koa/index.js'
import { createScryptHasher, createVerificationCache, type Kdf } from '../../../src/adapters/scrypt/index.js'
import { systemDigest, systemRandomness } from '../../../src/adapters/system/index.js'
import { composeService, type Service } from '../../../src/composition-root/container.js'
import { portsOf } from '../../../src/composition-root/infrastructure.js'
import { createCredentials, type KeyedCredentials } from '../../../src/composition-root/credentials.js'
import type { MailParts } from '../../../src/application/infrastructure.js'
import type { Mode } from '../../../src/application/use-cases.js'
import { httpPermissions } from '../../../src/composition-root/http-settings.js'
import { meteredStore } from '../../../src/composition-root/metering.js'
import type { PermissionRules, Permissions } from '../../../src/domain/access/permissions.js'
import type { Lifetimes } from '../../../src/domain/identity/session.js'
import type { PetSecurity } from '../../../src/application/catalogue/authenticate-pet-client.js'
import type { PasswordHasher } from '../../../src/ports/password-hasher.js'
import type { AttemptLimit } from '../../../src/ports/attempt-limiter.js'
import type { AuditSink } from '../../../src/ports/audit-log.js'
import type { Log } from '../../../src/ports/log.js'
import type { Metrics } from '../../../src/ports/metrics.js'
import { createClient, type Client } from './client.js'
import { openAnyStore } from '../stores.js'
import { createSecretHunt, type SecretHunt } from '../../http/secret-hunt.js'
import { makeAccount, makeApiKey } from '../../http/seeding.js'
import { compiledPermissions } from '../permissions.js'
import { httpSettings } from './settings.js'
import { replyCheckBy, type ReplyCheck } from './reply-check.js'

export const PASSPHRASE = 'Only-for-tests: 4 kennels & 12 hounds'
/** The application's page, somewhere else than the service. */
export const RESET_URL = 'https://app.example/new-password'
export const PASSWORD = 'correct horse battery'
/** So that a service of a test starts at once; what deriving keys costs is the key ring's own test. */
export const KEY_COST = { logN: 4 }
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
  /** Whether there is a session beside the tokens; else what the run is for. */
  readonly mode?: Mode
  readonly loginLimit?: AttemptLimit
  readonly hashConcurrency?: number
  /** Stands in for the expensive computations themselves, below the pool that bounds them. */
  readonly kdf?: Kdf
  /** Stands in front of the real hasher, to count or to hold calls. */
  readonly aroundHasher?: (hasher: PasswordHasher) => PasswordHasher
  readonly log?: Log
  /** Is told of everything that the service's own are told of. */
  readonly metrics?: Metrics
  /** Where audit records go; the store by default. */
  readonly auditSinks?: (store: Store) => readonly AuditSink[]
  /** Whether counts of shared records wait for `flush` of the audit trail. */
  readonly auditBatched?: boolean
  readonly onAuditLost?: (error: unknown) => void
  /** Without it mails are queued and none is sent. */
  readonly mail?: Pick<MailParts, 'mailer' | 'templates'> &
    Partial<MailParts> & { readonly onQueued?: () => void }
  readonly requestTimeout?: number
  /** Where the clock stands at first; START. */
  readonly startAt?: number
  readonly probeTimeout?: number
}

export type TestService = {
  readonly origin: string
  readonly client: Client
  readonly store: Store
  readonly useCases: Service['useCases']
  /** Only where it was started with `mail`. */
  readonly mails: () => NonNullable<Service['mails']>
  /** Milliseconds; moved by hand. */
  readonly clock: { now: number }
  readonly secrets: { passphrase: string }
  /** What it writes to. */
  readonly log: Log
  /** Makes an account with PASSWORD and these roles (made where they are missing); gives its id. */
  account(email: string, roles?: readonly string[]): Promise<number>
  /** Makes an API key with these roles. */
  apiKey(roles?: readonly string[]): Promise<string>
  /** Stops serving; the store is closed too, unless it was passed in. */
  close(): Promise<void>
}

/**
 * The real service on a real socket, with a clock that stands still and cheap password hashes. When it is
 * closed it rejects where a secret stands in its log, metrics, audit records or refusals.
 */
export async function startService(given: TestOptions = {}): Promise<TestService> {
  const hunt = createSecretHunt()
  const { secrets } = hunt
  const { metrics = hunt.metrics } = given
  const options = { ...given, metrics, log: hunt.log(given.log) }
  const { log, requestTimeout = 30_000 } = options
  const server = await bindServer('127.0.0.1', 0, { requestTimeout, observers: { log, metrics } })
  const origin = `http://127.0.0.1:${String(server.port)}`
  const clock = { now: options.startAt ?? START }
  const kept = options.store ?? (await openAnyStore())
  const store = meteredStore(options.store ? kept : (options.aroundStore ?? itself)(kept), metrics)
  const mode = options.mode ?? MODE_OF_RUN
  const publicUrl = options.settings?.publicUrl ?? origin
  const credentials = await credentialsOf(options, publicUrl, mode)
  const permissions = compiledPermissions(options.permissions)
  const settings = testSettings(publicUrl, {
    mode,
    credentials,
    permissions,
    settings: {
      petSecurity: options.petSecurity ?? 'any',
      limitsAttempts: options.loginLimit !== undefined,
      ...options.settings,
    },
  })
  const { useCases, mails } = compose(options, { store, clock, mode, credentials, permissions })
  const readiness = () => store.ready()
  const app = createHttpService({
    useCases,
    settings,
    readiness,
    log,
    metrics,
    ...(options.probeTimeout !== undefined && { probeTimeout: options.probeTimeout }),
  })
  const answer = app.callback()
  server.serve((request, response) => void answer(request, response))
  const client = await checkedClient(origin, hunt)
  const { current: passphrase, previous } = options.passphrases ?? { current: PASSPHRASE, previous: [] }
  for (const one of [passphrase, ...previous]) secrets.remember('passphrase', one)
  secrets.remember('password', PASSWORD)
  return {
    origin,
    client,
    store,
    useCases,
    mails: () => {
      if (!mails) throw new Error('This service sends no mails.')
      return mails
    },
    clock,
    secrets: { passphrase },
    log,
    account: (email, roles = []) => makeAccount({ useCases, store }, { email, password: PASSWORD }, roles),
    apiKey: async (roles = []) => {
      const key = await makeApiKey({ useCases, store }, roles)
      secrets.remember('API key', key)
      return key
    },
    close: async () => {
      client.close()
      await server.drain(1000)
      try {
        await hunt.end(kept.audit)
      } finally {
        if (!options.store) await store.close()
      }
    },
  }
}

const itself = (store: Store) => store

/** What this run of the suite is for: see scripts/test.js. */
export const TOKEN_USE = (process.env['TEST_TOKENS'] ?? 'HS512') as TokenUse
export const STATELESS = process.env['TEST_MODE'] === 'stateless'

/** Stateless runs ask the revocations, so that whatever ends a session ends a login there too. */
const MODE_OF_RUN: Mode = STATELESS ? 'stateless-revocable' : 'stateful'

/** A client whose replies are checked against the description that it gets with its first call. */
async function checkedClient(origin: string, hunt: SecretHunt): Promise<Client> {
  const checks: ReplyCheck[] = []
  const client = createClient(origin, () => checks[0], hunt)
  checks.push(replyCheckBy((await client.call('GET', '/openapi.json')).text))
  return client
}

type Chosen = {
  mode: Mode
  credentials: KeyedCredentials
  permissions: Permissions
  settings: Partial<HttpSettings>
}

function testSettings(publicUrl: string, { mode, credentials, permissions, settings }: Chosen): HttpSettings {
  return httpSettings({
    publicUrl,
    stateless: mode !== 'stateful',
    publicKeys: credentials.publicKeys,
    grantedTo: httpPermissions(permissions),
    docs: true,
    ...settings,
  })
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

async function credentialsOf(options: TestOptions, issuer: string, mode: Mode): Promise<KeyedCredentials> {
  return await createCredentials({
    passphrases: options.passphrases ?? { current: PASSPHRASE, previous: [] },
    use: options.tokenUse ?? TOKEN_USE,
    issuer,
    lifetimes: lifetimesOf(options),
    stateless: mode !== 'stateful',
    keyLogN: KEY_COST.logN,
  })
}

type Parts = {
  store: Store
  clock: { now: number }
  mode: Mode
  credentials: KeyedCredentials
  permissions: Permissions
}

function compose(options: TestOptions, { store, clock, mode, credentials, permissions }: Parts): Service {
  const hashing = { cost: { logN: 10, r: 8, p: 1 }, concurrency: options.hashConcurrency ?? 2 }
  const { metrics, log } = options
  const cheap = createScryptHasher({ ...hashing, ...(metrics && { metrics }) }, options.kdf)
  return composeService(
    {
      ...portsOf(store),
      clock: () => clock.now,
      randomness: systemRandomness,
      digest: systemDigest,
      hashing,
      hasher: options.aroundHasher?.(cheap) ?? cheap,
      verifications: createVerificationCache({ size: 100, now: () => performance.now() }),
      permissions,
      lifetimes: lifetimesOf(options),
      loginLimit: options.loginLimit,
      impersonationTtl: 3_600_000,
      auditSinks: options.auditSinks?.(store) ?? [store.audit],
      auditRetention: undefined,
      auditBatched: options.auditBatched ?? false,
      onAuditLost: options.onAuditLost,
      operator: 'tester',
      onMailQueued: options.mail?.onQueued,
      log,
      metrics,
      minPasswordLength: 8,
      petSecurity: options.petSecurity ?? 'any',
      ...credentials,
    },
    mode,
    options.mail && { resetTokenTtl: 1_800_000, resetUrl: RESET_URL, ...options.mail },
  )
}
