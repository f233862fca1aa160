import type { Socket } from 'node:net'
import type { Milliseconds } from '../../src/domain/instant.js'
import { createLane, type Lane } from './lane.js'
import type { Node } from './mongod.js'
import { startProxy, type Proxy } from './proxy.js'

/** All connections to one member from another member or, if `from` is undefined, from clients. */
export type Path = { readonly from: Node | undefined; readonly to: Node }

/** `there` is from the side that opened the connection to the other side; `back` is the reverse. */
export type Direction = 'there' | 'back'

/** Network faults on a path. Bytes never change, and are lost only if the whole connection breaks. */
export type Disturbance = {
  /** Breaks all connections, and each new connection. */
  readonly refuses?: boolean
  readonly delay?: Milliseconds
  /** Bytes in these directions do not arrive until the network is healed. */
  readonly holds?: readonly Direction[]
}

/** The connections of a replica set. Members and clients know each member by the address of its proxy. */
export type Network = {
  add(node: Node): Promise<string>
  disturb(of: (path: Path) => Disturbance | undefined): void
  /** Breaks all connections between this member and the others, and refuses new connections. Clients stay connected. */
  isolate(node: Node): void
  cut(which: (path: Path) => boolean): void
  /** Ends all disturbances, and delivers all bytes that were held back. */
  heal(): void
  readonly close: () => Promise<void>
}

type Connection = Path & { readonly client: Socket; readonly lanes: readonly Lane[] }

/**
 * The first message of a connection shows which member opened it: a server with fail points enabled includes its own
 * host and port, for proxies like this one.
 */
export function createNetwork(): Network {
  const proxies: Proxy[] = []
  const nodes: Node[] = []
  const connections = new Set<Connection>()
  let disturbanceOf: (path: Path) => Disturbance | undefined = () => undefined

  function carry(
    path: Path,
    { client, upstream, first }: { client: Socket; upstream: Socket; first: Buffer },
  ) {
    const disturbance = () => disturbanceOf(path) ?? {}
    const lane = (from: Socket, to: Socket, direction: Direction) =>
      createLane(from, to, () => {
        const { delay = 0, holds = [] } = disturbance()
        return { delay, isHeld: holds.includes(direction) }
      })
    const lanes = [lane(client, upstream, 'there'), lane(upstream, client, 'back')]
    const connection = { ...path, client, lanes }
    connections.add(connection)
    client.once('close', () => connections.delete(connection))
    lanes[0]?.take(first)
    if (disturbance().refuses === true) client.destroy()
  }

  function disturb(of: typeof disturbanceOf): void {
    disturbanceOf = of
    for (const { lanes } of connections) for (const lane of lanes) lane.pump()
    cut((path) => of(path)?.refuses === true)
  }

  function cut(which: (path: Path) => boolean): void {
    for (const connection of connections) if (which(connection)) connection.client.destroy()
  }

  return {
    add: async (to) => {
      nodes.push(to)
      const proxy = await startProxy(
        () => to.host,
        (client, upstream) => {
          client.once('data', (first) => {
            const port = memberIn(first)
            carry(
              { from: nodes.find(({ host }) => host.endsWith(`:${port}`)), to },
              { client, upstream, first },
            )
          })
        },
      )
      proxies.push(proxy)
      return proxy.host
    },
    disturb,
    isolate: (node) => {
      disturb(({ from, to }) => ({ refuses: from !== undefined && (from === node || to === node) }))
    },
    cut,
    heal: () => {
      disturb(() => undefined)
    },
    close: async () => {
      await Promise.all(proxies.map((proxy) => proxy.close()))
    },
  }
}

/** Returns the port of the member that sent a connection's first bytes, or `none` for a client. */
function memberIn(first: Buffer): string {
  return /hostInfo\0.{4}[^\0]*:(\d+)\0/s.exec(first.toString('latin1'))?.[1] ?? 'none'
}
