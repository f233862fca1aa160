import type { Socket } from 'node:net'
import { startProxy } from '../mongodb-faults/proxy.js'
import type { Cluster } from '../support/postgresql/cluster.js'

/** An address that leads to one server at a time. */
export type MovableAddress = {
  readonly host: string
  /** Breaks all connections. */
  readonly moveTo: (next: Cluster) => void
  readonly close: () => Promise<void>
}

export async function movableAddress(first: Cluster): Promise<MovableAddress> {
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
