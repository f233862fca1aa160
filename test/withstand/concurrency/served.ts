import { createLog } from '../../../src/adapters/pino/index.js'
import { bindServer } from '../../../src/adapters/koa/index.js'
import { httpPermissions } from '../../../src/composition-root/http-settings.js'
import type { Store } from '../../../src/ports/store.js'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { listenerOf } from '../../support/http/host.js'
import { httpSettings } from '../../support/http/settings.js'
import { composeUseCases, START, type Composed } from '../../support/use-cases.js'
import { LOGIN_LIMIT } from './place.js'
import { quickKdf } from './quick-kdf.js'

const { everyone, user, ...others } = DEFAULT_PERMISSIONS.roles
const auth = [...(everyone?.components?.['auth'] ?? []), 'reset-password']
const pets = ['list', 'read', 'create', 'update', 'delete']

/** Whatever histories do is permitted: the default, removals of pets, and resets of passwords. */
export const PERMISSIONS = {
  roles: {
    ...others,
    everyone: { ...everyone, components: { ...everyone?.components, auth } },
    user: { ...user, components: { ...user?.components, pets } },
  },
} as const

/** The same in every process, so that tokens of one are good in the other. */
const PUBLIC_URL = 'http://127.0.0.1:3000'

/** All use cases on this store, with a clock that stands still at `startAt`. */
export async function composedOn(store: Store, kdf = quickKdf, startAt = START): Promise<Composed> {
  return await composeUseCases({
    store,
    publicUrl: PUBLIC_URL,
    permissions: PERMISSIONS,
    mode: 'stateful',
    tokenUse: 'HS512',
    loginLimit: LOGIN_LIMIT,
    hashConcurrency: 64,
    kdf,
    startAt,
  })
}

/** A server on this store, without anything that slows it down. */
export async function serve(store: Store): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const server = await bindServer('127.0.0.1', 0, { requestTimeout: 30_000 })
  const { useCases, credentials, permissions } = await composedOn(store)
  const settings = httpSettings({
    publicUrl: PUBLIC_URL,
    publicKeys: credentials.publicKeys,
    grantedTo: httpPermissions(permissions),
    limitsAttempts: true,
    trustProxy: 1,
  })
  // What a server could not handle is a violation, and its cause is said here.
  const log = createLog({ level: 'error', pretty: false, destination: process.stderr })
  server.serve(listenerOf({ useCases, settings, readiness: () => store.ready(), log, bodyTimeout: 15_000 }))
  return {
    origin: `http://127.0.0.1:${String(server.port)}`,
    close: async () => {
      await server.drain(1000)
    },
  }
}
