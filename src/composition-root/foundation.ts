import { availableParallelism } from 'node:os'
import { createApiKeySecrets } from '../adapters/keyring/index.js'
import {
  createScryptHasher,
  defaultHashConcurrency,
  rememberVerifications,
} from '../adapters/scrypt/index.js'
import { systemClock, systemRandomness } from '../adapters/system/index.js'
import type { Permissions } from '../domain/access/permissions.js'
import type { Store } from '../ports/store.js'
import type { Configuration } from './configuration.js'
import type { Foundation } from './container.js'

/** Threads of libuv's pool; `UV_THREADPOOL_SIZE` cannot be set any more once the process runs. */
const threadPoolSize = 4

/** Everything below the use cases that the configuration decides, around an open store. */
export function foundationOf(
  configuration: Configuration,
  permissions: Permissions,
  store: Store,
): Foundation {
  const { scrypt, minLength, hashConcurrency } = configuration.passwords
  const concurrency =
    hashConcurrency ?? defaultHashConcurrency({ cores: availableParallelism(), threadPoolSize })
  const hasher = createScryptHasher({ cost: scrypt, concurrency })
  return {
    store,
    clock: systemClock,
    randomness: systemRandomness,
    hasher,
    rememberingHasher: rememberVerifications(hasher, { now: () => performance.now() }),
    apiKeySecrets: createApiKeySecrets(),
    permissions,
    lifetimes: configuration.identity.lifetimes,
    minPasswordLength: minLength,
    petSecurity: configuration.pets.security,
  }
}
