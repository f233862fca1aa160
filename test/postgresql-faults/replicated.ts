import { until } from '../cli/workers.js'
import { startCluster, type Cluster } from '../support/postgresql/cluster.js'
import { freshDatabase, inDatabase } from '../support/postgresql/server.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import type { Socket } from 'node:net'
import { startProxy } from '../mongodb-faults/network.js'

/** A database on a primary server whose commits wait for a standby. */
export type Replicated = {
  /** The address always leads to the current primary. */
  readonly url: string
  readonly primary: () => Cluster
  readonly standby: () => Cluster
  readonly onStandby: (sql: string) => Promise<unknown>
  readonly move: () => void
  /** Promotes the standby to primary and gives it a new standby; the old primary is removed. */
  readonly failOver: () => Promise<void>
  readonly stop: () => Promise<void>
}

const SETTINGS = { synchronous_standby_names: '*', wal_retrieve_retry_interval: '100ms' }

export async function startReplicated(): Promise<Replicated> {
  let primary = await startCluster(makeTemporaryFolder().path, SETTINGS)
  let standby = await standbyOf(primary)
  const { url, name } = await freshDatabase(primary.urlOf())
  const address = await movableAddress(primary)
  return {
    url: Object.assign(new URL(url), { host: address.host }).href,
    primary: () => primary,
    standby: () => standby,
    onStandby: (sql) => inDatabase(standby.urlOf(name), (client) => client.query(sql)),
    move: () => {
      address.moveTo(standby)
    },
    failOver: async () => {
      const former = primary
      await former.kill()
      await standby.promote()
      primary = standby
      address.moveTo(primary)
      standby = await standbyOf(primary)
      await former.stop()
    },
    stop: async () => {
      await Promise.all([address.close(), primary.stop(), standby.stop()])
    },
  }
}

/** Adds a standby; resolves when commits wait for it. */
async function standbyOf(primary: Cluster): Promise<Cluster> {
  const standby = await primary.standby(makeTemporaryFolder().path)
  await until(async () => {
    const sql = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
    const { rowCount } = await inDatabase(primary.urlOf(), (client) => client.query(sql))
    return rowCount === 1
  })
  return standby
}

/** An address that leads to one server at a time. */
export type MovableAddress = {
  readonly host: string
  readonly moveTo: (next: Cluster) => void
  readonly close: () => Promise<void>
}

async function movableAddress(first: Cluster): Promise<MovableAddress> {
  let target = first
  const sockets = new Set<Socket>()
  const { host, close } = await startProxy(
    () => target.host,
    (client, upstream) => {
      sockets.add(client)
      client.once('close', () => sockets.delete(client))
      client.pipe(upstream)
      upstream.pipe(client)
    },
  )
  const moveTo = (next: Cluster) => {
    target = next
    for (const socket of sockets) socket.destroy()
  }
  return { host, moveTo, close }
}
