import { createApiKeySecrets } from '../adapters/keyring/index.js'
import {
  boundVerifications,
  createScryptHasher,
  createVerificationCache,
  defaultHashConcurrency,
} from '../adapters/scrypt/index.js'
import { systemClock, systemDigest, systemRandomness } from '../adapters/system/index.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { Store } from '../ports/store.js'
import type { Configuration } from '../configuration/configuration.js'
import type { Infrastructure } from './infrastructure-parts.js'
import { auditSinksOf } from './audit-sinks.js'
import { hostMachine, operatingSystemUser } from '../configuration/environment.js'
import type { Mode } from './identity.js'

type Surroundings = {
  readonly store: Store
  readonly log: Log
  readonly metrics?: Metrics | undefined
}

/** Everything below the use cases that the configuration decides, around an open store. */
export function infrastructureOf(
  configuration: Configuration,
  { store, log, metrics }: Surroundings,
): Infrastructure {
  const { scrypt, minLength } = configuration.passwords
  const concurrency = concurrencyOf(configuration)
  const hasher = createScryptHasher({ cost: scrypt, concurrency, log, ...(metrics && { metrics }) })
  return {
    store,
    clock: systemClock,
    randomness: systemRandomness,
    digest: systemDigest,
    hasher,
    basicHasher: boundVerifications(hasher, { concurrency, metrics }),
    verifications: createVerificationCache({ now: () => performance.now() }),
    apiKeySecrets: createApiKeySecrets(),
    permissions: configuration.permissions,
    lifetimes: configuration.identity.lifetimes,
    mode: modeOf(configuration, store),
    ...(configuration.identity.loginLimit && { loginLimit: configuration.identity.loginLimit }),
    impersonationTtl: configuration.identity.impersonationTtl,
    auditSinks: auditSinksOf(configuration, store, log),
    ...(configuration.audit.retention !== undefined && { auditRetention: configuration.audit.retention }),
    onAuditLost: (error) => log.error('an audit record was lost', { error }),
    operator: operatingSystemUser(),
    log,
    ...(metrics && { metrics }),
    minPasswordLength: minLength,
    petSecurity: configuration.pets.security,
  }
}

/** How many hashes are computed at once. */
export function concurrencyOf({ passwords }: Configuration): number {
  return passwords.hashConcurrency ?? defaultHashConcurrency(hostMachine())
}

function modeOf({ identity: { stateless } }: Configuration, store: Store): Mode {
  if (!stateless) return { kind: 'stateful' }
  return stateless.revocation === 'store'
    ? { kind: 'stateless', revocations: store.revocations }
    : { kind: 'stateless' }
}
