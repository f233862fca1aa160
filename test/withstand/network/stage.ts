import type { MongoClient } from 'mongodb'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import type { Store } from '../../../src/ports/store.js'
import { createLeftovers } from '../../mongodb-faults/leftovers.js'
import { createNetwork, type Network } from '../../mongodb-faults/network.js'
import { startReplicaSet, type ReplicaSet } from '../../mongodb-faults/replica-set.js'
import type { Served } from '../../support/http/browser.js'
import { createClient, type Client } from '../../support/http/client.js'
import { replyCheckBy, type ReplyCheck } from '../../support/http/reply-check.js'
import { startService } from '../../support/http/service.js'
import { composeUseCases } from '../../support/use-cases.js'
import { makeTemporaryFolder } from '../../support/temporary-folder.js'
import { CLIENTS } from './faults.js'
import type { Planted } from './planted.js'

/** Three members, each behind a proxy of its own. */
export type Cluster = {
  readonly set: ReplicaSet
  readonly network: Network
  readonly close: () => Promise<void>
}

/** Two services with a store each on one database, as two processes have. */
export type Services = {
  readonly served: readonly [Served, Served]
  readonly close: () => Promise<void>
}

/** A client that waits for longer would see no partition that is over in time. */
const STORE_TIMEOUT = 1_000
const KEEPERS = { roles: { ...DEFAULT_PERMISSIONS.roles, user: { components: { pets: ['*'] } } } }

export async function startCluster(): Promise<Cluster> {
  const leftovers = createLeftovers()
  try {
    const folder = makeTemporaryFolder()
    leftovers.add(folder.remove)
    const network = createNetwork()
    leftovers.add(network.close)
    const addressOf: Network['add'] = (node) => network.add(node)
    const set = await startReplicaSet(folder.path, { addressOf, obeysFailPoints: true, allElectable: true })
    leftovers.add(set.stop)
    return { set, network, close: () => leftovers.clear() }
  } catch (error) {
    await leftovers.clear()
    throw error
  }
}

/** Accounts with the one password of tests, and an API key for pets, which it gives. */
export async function seedAccounts(url: string, emails: readonly string[]): Promise<string> {
  const store = await openMongo(url, { timeout: 30_000, startTimeout: 60_000 })
  try {
    const { account, apiKey } = await composeUseCases({ store })
    for (const email of emails) await account(email)
    return await apiKey()
  } finally {
    await store.close()
  }
}

export async function startServices(url: string, planted: Planted): Promise<Services> {
  const leftovers = createLeftovers()
  try {
    const started = await Promise.all(CLIENTS.map((name) => startOne(leftovers, url, name, planted)))
    const [one, other] = started
    if (!one || !other) throw new Error('there are two services')
    return { served: [{ client: one }, { client: other }], close: () => leftovers.clear() }
  } catch (error) {
    await leftovers.clear()
    throw error
  }
}

async function startOne(
  leftovers: ReturnType<typeof createLeftovers>,
  url: string,
  name: string,
  planted: Planted,
): Promise<Client> {
  const onClient = (client: MongoClient) => {
    client.appendMetadata({ name })
    planted.onClient?.(client)
  }
  const opened = await openMongo(url, { timeout: STORE_TIMEOUT, startTimeout: 60_000, onClient })
  leftovers.add(() => opened.close())
  const store: Store = planted.aroundStore?.(opened) ?? opened
  const service = await startService({
    store,
    permissions: KEEPERS,
    settings: { publicUrl: 'http://kennel.test' },
  })
  leftovers.add(() => service.close())
  const client = await checkedClient(service.origin)
  leftovers.add(() => client.close())
  return client
}

/** Unlike the service's own it remembers nothing of what goes through it, which is a lot here. */
async function checkedClient(origin: string): Promise<Client> {
  const checks: ReplyCheck[] = []
  const client = createClient(origin, () => checks[0])
  checks.push(replyCheckBy((await client.call('GET', '/openapi.json')).text))
  return client
}
