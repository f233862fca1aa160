import { createApiKeySecrets, createResetTokens } from '../adapters/keyring/index.js'
import { createAuditLines } from '../adapters/log/audit-lines.js'
import {
  boundVerifications,
  createScryptHasher,
  createVerificationCache,
  defaultHashConcurrency,
  type HashCost,
} from '../adapters/scrypt/index.js'
import { systemClock, systemDigest, systemRandomness } from '../adapters/system/index.js'
import type { Infrastructure, StorePorts } from '../application/infrastructure.js'
import { wired, type MadeBy, type Rows } from '../application/table.js'
import type { Mode } from '../application/use-cases.js'
import type { Configuration } from '../configuration/configuration.js'
import { hostMachine, operatingSystemUser } from '../configuration/environment.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { PasswordHasher } from '../ports/password-hasher.js'
import type { Store } from '../ports/store.js'

/** How passwords are hashed, and how many at once. */
type Hashing = { readonly cost: HashCost; readonly concurrency: number }
type HashParts = { hashing: Hashing; log: Log | undefined; metrics: Metrics | undefined }

/** Parts of ours that a caller's own may stand in for. */
const SYSTEM = {
  hasher: {
    factory: ({ hashing, log, metrics }: HashParts) =>
      createScryptHasher({ ...hashing, ...(log && { log }), ...(metrics && { metrics }) }),
    parts: ['hashing', 'log', 'metrics'],
  },
  basicHasher: {
    factory: ({ hasher, hashing, metrics }: Omit<HashParts, 'log'> & { hasher: PasswordHasher }) =>
      boundVerifications(hasher, { concurrency: hashing.concurrency, metrics }),
    parts: ['hasher', 'hashing', 'metrics'],
  },
  verifications: { factory: () => createVerificationCache({ now: () => performance.now() }), parts: [] },
  apiKeySecrets: { factory: createApiKeySecrets, parts: [] },
  resetTokens: { factory: createResetTokens, parts: [] },
} as const satisfies Rows

export const SYSTEM_TABLE = wired<HashParts>()(SYSTEM)
export type SystemParts = MadeBy<typeof SYSTEM_TABLE>

/** What the graph begins with: everything else is made of it. */
export type Given = Omit<Infrastructure, keyof SystemParts> & { readonly hashing: Hashing }

type Dependencies = {
  readonly store: Store
  readonly log: Log
  readonly metrics?: Metrics | undefined
}

/** What the configuration says, around an open store. */
export function infrastructureOf(configuration: Configuration, { store, log, metrics }: Dependencies): Given {
  const { identity, passwords, audit, pets } = configuration
  return {
    ...portsOf(store),
    clock: systemClock,
    randomness: systemRandomness,
    digest: systemDigest,
    hashing: { cost: passwords.scrypt, concurrency: concurrencyOf(configuration) },
    permissions: configuration.permissions,
    lifetimes: identity.lifetimes,
    loginLimit: identity.loginLimit,
    impersonationTtl: identity.impersonationTtl,
    minPasswordLength: passwords.minLength,
    petSecurity: pets.security,
    auditSinks: audit.targets.map((target) => (target === 'store' ? store.audit : createAuditLines(log))),
    auditRetention: audit.retention,
    auditBatched: false,
    onAuditLost: (error) => log.error('an audit record was lost', { error }),
    operator: operatingSystemUser(),
    onMailQueued: undefined,
    log,
    metrics,
  }
}

/** The ports of a store by the names that the graph has for them. */
export function portsOf({ audit, ...ports }: Store): StorePorts {
  return { ...ports, auditLog: audit }
}

/** How many hashes are computed at once. */
function concurrencyOf({ passwords }: Configuration): number {
  return passwords.hashConcurrency ?? defaultHashConcurrency(hostMachine())
}

/** What proves an identity, as the configuration says. */
export function modeOf({ identity: { stateless } }: Configuration): Mode {
  if (!stateless) return 'stateful'
  return stateless.revocation === 'store' ? 'stateless-revocable' : 'stateless'
}
