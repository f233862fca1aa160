import { createPasswordBlocklist, readPasswordFile } from '../adapters/blocklist/password-blocklist.js'
import { createNameClient } from '../adapters/bowser/index.js'
import { createApiKeySecrets, createProofSecrets } from '../adapters/keyring/index.js'
import { createAuditLines, type AuditLinesLog } from '../adapters/pino/audit-lines.js'
import {
  boundVerifications,
  createScryptHasher,
  createVerificationCache,
  defaultHashConcurrency,
} from '../adapters/scrypt/index.js'
import { HASH_QUEUE } from '../adapters/scrypt/password-hasher.js'
import { systemClock, systemDigest, systemRandomness } from '../adapters/system/index.js'
import type {
  Infrastructure,
  PartialStorePorts,
  StorePorts,
  LimitedPreviousAccounts,
} from '../application/shared-parts.js'
import { checkedTable, type PartsCreatedBy, type Rows } from '../application/table.js'
import type { Mode } from '../application/wiring.js'
import { originOf, type Settings } from '../configuration/derived.js'
import { sentenceAbout, ConfigurationError, says } from '../configuration/sentence.js'
import { hostMachine, operatorName } from '../configuration/environment.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { PasswordBlocklist, HashCost, PasswordHasher } from '../ports/passwords.js'
import type { PartialStore, Store } from '../ports/store.js'
import { within } from '../adapters/database-server.js'
import type { Milliseconds } from '../domain/instant.js'
import type { PreviousAccounts } from '../ports/callbacks.js'

type HashingLimits = { readonly cost: HashCost; readonly concurrency: number; readonly queue?: number }
type HashParts = { hashing: HashingLimits; log: Log | undefined; metrics: Metrics | undefined }

/** Parts that custom parts can replace. */
const SYSTEM = {
  hasher: {
    factory: ({ hashing, log, metrics }: HashParts) =>
      createScryptHasher({ ...hashing, ...(log && { log }), ...(metrics && { metrics }) }),
    parts: ['hashing', 'log', 'metrics'],
  },
  verifyBasic: {
    factory: ({ hasher, hashing, metrics }: Omit<HashParts, 'log'> & { hasher: PasswordHasher }) =>
      boundVerifications(hasher, { concurrency: hashing.concurrency, metrics }),
    parts: ['hasher', 'hashing', 'metrics'],
  },
  verifications: { factory: () => createVerificationCache({ now: () => performance.now() }), parts: [] },
  apiKeySecrets: { factory: createApiKeySecrets, parts: [] },
  proofSecrets: { factory: createProofSecrets, parts: [] },
} as const satisfies Rows

export const SYSTEM_TABLE = checkedTable<HashParts>()(SYSTEM)
export type SystemParts = PartsCreatedBy<typeof SYSTEM_TABLE>

const PRODUCT = 'kennel'

const NO_REVOCATIONS = says`${'statelessRevocation'}=store needs a store that has the port revocations`
const NO_MAIL_QUEUE = says`${'notices'} needs a store that has the port mailQueue`
const NO_FACTORS = says`${'secondFactor'} needs a store that has the port secondFactors`
const NO_PASSKEYS = says`${'passkeys'} needs a store that has the port passkeys`
const NO_AUDIT =
  'the store has no audit log, so it records nothing: without another sink, login-as and logout-as are refused'

/** The initial parts, from which all other parts are created. If the store lacks a port, the parts that need this port are missing too. */
export type GivenParts = Omit<Infrastructure, keyof SystemParts | keyof StorePorts | 'passkeyVerifier'> &
  Partial<Pick<Infrastructure, 'passkeyVerifier'>> &
  PartialStorePorts & { readonly hashing: HashingLimits }

type Dependencies = {
  readonly store: PartialStore
  readonly log: AuditLinesLog
  readonly metrics?: Metrics | undefined
  /** How many processes share the machine. */
  readonly workers?: number
}

/** Warns if `AUDIT` sends records to the store but the store has no audit log. */
export function warnOfNoAudit({ audit }: Settings, store: PartialStore, log: Log): void {
  if (audit.includes('store') && !store.audit) log.warn('configuration', { detail: NO_AUDIT })
}

/**
 * Creates the infrastructure for an open store according to the settings. Throws a `ConfigurationError` if the configuration needs a port
 * that the store lacks, or if the password blocklist file is invalid.
 */
export function infrastructureOf(
  settings: Settings,
  { store, log, metrics, workers = 1 }: Dependencies,
): GivenParts {
  const { audit, secondFactor } = settings
  assertPorts(settings, store)
  return {
    ...portsOf(store),
    sessionLimit: settings.sessionLimit,
    rememberLogin: settings.rememberLogin,
    nameClient: createNameClient(),
    clock: systemClock,
    randomness: systemRandomness,
    digest: systemDigest,
    hashing: hashingOf(settings, workers),
    permissions: settings.permissions,
    lifetimes: settings.lifetimes,
    tokenIssuer: settings.stateless ? originOf(settings) : undefined,
    factorRoles: secondFactor.length > 0 ? new Set(secondFactor) : undefined,
    loginLimit: settings.loginLimit,
    impersonationTtl: settings.impersonationTtl,
    minPasswordLength: settings.passwordMinLength,
    passwordBlocklist: loadBlocklist(settings),
    petSecurity: settings.petsSecurity,
    signUp: { mode: settings.signUp, domains: settings.signUpDomains ?? [] },
    admitAccount: undefined,
    previousAccounts: undefined,
    auditSinks: audit.flatMap((target) => (target === 'log' ? createAuditLines(log) : (store.audit ?? []))),
    auditRetention: settings.auditRetention,
    auditBatched: false,
    onAuditLost: (error) => log.error('an audit record was lost', { error }),
    operator: operatorName(),
    noticeTopics: settings.mailUrl ? ['own-password', ...settings.notices] : [],
    onMailQueued: undefined,
    log,
    metrics,
  }
}

function assertPorts(settings: Settings, store: PartialStore): void {
  const { notices, secondFactor, passkeyDomain } = settings
  if (modeOf(settings) === 'stateless-revocable' && !store.revocations)
    throw new ConfigurationError([NO_REVOCATIONS])
  if (notices.length > 0 && !store.mailQueue) throw new ConfigurationError([NO_MAIL_QUEUE])
  if (secondFactor.length > 0 && !store.secondFactors) throw new ConfigurationError([NO_FACTORS])
  if (passkeyDomain && !store.passkeys) throw new ConfigurationError([NO_PASSKEYS])
}

export function portsOf(store: Store): StorePorts
export function portsOf(store: PartialStore): PartialStorePorts
export function portsOf({ audit, ...ports }: PartialStore): PartialStorePorts {
  const named = Object.entries({ ...ports, auditLog: audit }).filter(([, port]) => port !== undefined)
  return Object.fromEntries(named) as PartialStorePorts
}

/**
 * Returns how many password hashes this process may compute concurrently, and how many may wait; all processes share the machine's limits.
 */
function hashingOf(settings: Settings, workers: number): HashingLimits {
  const { cores, threadPoolSize } = hostMachine()
  const { passwordScrypt: cost, passwordHashConcurrency: whole } = settings
  const concurrency =
    whole === undefined
      ? defaultHashConcurrency({ cores: shareOf(cores, workers), threadPoolSize })
      : shareOf(whole, workers)
  return { cost, concurrency, queue: shareOf(HASH_QUEUE, workers) }
}

/**
 * Reads the file only once, at startup, so that errors in the file are reported then. Passwords are also compared with the product name
 * and, if a public origin is set, its host name.
 */
export function loadBlocklist({
  passwordBlocklist: choice,
  publicUrl,
}: Settings): PasswordBlocklist | undefined {
  if (!choice) return undefined
  const names = [PRODUCT, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])]
  if (choice.kind === 'built-in') return createPasswordBlocklist({ names })
  const read = readPasswordFile(choice.path)
  if (read.ok) return createPasswordBlocklist({ names, list: read.list })
  throw new ConfigurationError([
    sentenceAbout('passwordBlocklist', `: the file ${choice.path} ${read.error}`),
  ])
}

/** Returns one process's share of a limit that applies to all processes together; at least 1. */
export function shareOf(whole: number, workers: number): number {
  return Math.max(1, Math.ceil(whole / workers))
}

/** Returns how identities are proved: with sessions, or statelessly, with or without revocation. */
export function modeOf({ stateless, statelessRevocation }: Settings): Mode {
  if (!stateless) return 'stateful'
  return statelessRevocation === 'store' ? 'stateless-revocable' : 'stateless'
}

const TIMEOUT = 5_000

/** Limits the duration of each call: after the timeout, the call rejects and its signal is aborted. */
export function limitPreviousAccounts(
  previousAccounts: PreviousAccounts,
  timeout: Milliseconds = TIMEOUT,
): LimitedPreviousAccounts {
  return {
    async verify(email, password) {
      const control = new AbortController()
      try {
        const answer = previousAccounts.verify(email, password, control.signal)
        return await within(timeout, answer, 'previous login')
      } catch (error) {
        control.abort(error)
        throw error
      }
    },
  }
}
