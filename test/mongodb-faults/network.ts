import type { Socket } from 'node:net'
import type { Node } from './mongod.js'
import { startProxy, type Proxy } from './proxy.js'

/** The connections of a replica set. Members and clients know each member by the address of its proxy. */
export type Network = {
  /** The address of a member for clients and other members. */
  add(node: Node): Promise<string>
  /** Breaks all connections between this member and the others, and refuses new connections. Clients stay connected. */
  isolate(node: Node): void
  /** Ends the isolation. */
  heal(): void
  readonly close: () => Promise<void>
}

type Connection = { readonly from: string | undefined; readonly to: Node; readonly client: Socket }

/**
 * The first message of a connection shows which member opened it: a server with fail points enabled includes its own
 * host and port, for proxies like this one.
 */
export function createNetwork(): Network {
  const proxies: Proxy[] = []
  const connections = new Set<Connection>()
  let isolated: Node | undefined

  function isRefused({ from, to }: Connection): boolean {
    return from !== undefined && isolated !== undefined && (to === isolated || from === portOf(isolated))
  }

  function carry(connection: Connection, upstream: Socket, first: Buffer): void {
    const { client } = connection
    if (isRefused(connection)) {
      client.destroy()
      return
    }
    connections.add(connection)
    client.once('close', () => connections.delete(connection))
    upstream.write(first)
    client.pipe(upstream)
    upstream.pipe(client)
  }

  return {
    add: async (to) => {
      const proxy = await startProxy(to.host, (client, upstream) => {
        client.once('data', (first) => carry({ from: memberOf(first), to, client }, upstream, first))
      })
      proxies.push(proxy)
      return proxy.host
    },
    isolate: (node) => {
      isolated = node
      for (const connection of connections) if (isRefused(connection)) connection.client.destroy()
    },
    heal: () => (isolated = undefined),
    close: async () => {
      await Promise.all(proxies.map((proxy) => proxy.close()))
    },
  }
}

/** The port of the member that sent the first bytes of a connection; `undefined` for a client. */
function memberOf(first: Buffer): string | undefined {
  return /hostInfo\0.{4}[^\0]*:(\d+)\0/s.exec(first.toString('latin1'))?.[1]
}

function portOf({ host }: Node): string | undefined {
  return host.split(':')[1]
}
