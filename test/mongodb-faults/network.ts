import { type Socket, connect, createServer, type AddressInfo } from 'node:net'
import type { Milliseconds } from '../../src/domain/instant.js'
import type { Node } from './mongod.js'
import { once } from 'node:events'

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

/** Returns the port of the member that sent the first bytes of a connection, or `none` if a client sent them. */
function memberIn(first: Buffer): string {
  return /hostInfo\0.{4}[^\0]*:(\d+)\0/s.exec(first.toString('latin1'))?.[1] ?? 'none'
}

type Lane = {
  take(bytes: Buffer): void
  pump(): void
}

type Rule = { readonly delay: Milliseconds; readonly isHeld: boolean }

function createLane(from: Socket, to: Socket, rule: () => Rule): Lane {
  /** An item without bytes closes the connection in this direction. */
  const chunks: { readonly bytes: Buffer | undefined; readonly arrived: number }[] = []
  let timer: NodeJS.Timeout | undefined

  function pump(): void {
    clearTimeout(timer)
    const { delay, isHeld } = rule()
    if (isHeld || to.destroyed) return
    for (let first = chunks[0]; first; first = chunks[0]) {
      const wait = first.arrived + delay - performance.now()
      if (wait > 0) {
        timer = setTimeout(pump, wait)
        return
      }
      chunks.shift()
      if (first.bytes) to.write(first.bytes)
      else to.end()
    }
  }

  const add = (bytes: Buffer | undefined) => {
    chunks.push({ bytes, arrived: performance.now() })
    pump()
  }
  from.on('data', add)
  from.once('end', () => {
    add(undefined)
  })
  from.once('close', () => {
    clearTimeout(timer)
  })
  return { take: add, pump }
}

type Proxy = { readonly host: string; readonly close: () => Promise<void> }

export type Pass = (client: Socket, upstream: Socket) => void

/**
 * Listens on a free port, and forwards each connection to the `host:port` that `target` returns. Each side closes
 * separately.
 */
export async function startProxy(target: () => string, pass: Pass): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const [host = '', port = ''] = target().split(':')
    const upstream = connect({ port: Number(port), host, allowHalfOpen: true })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.once('close', () => sockets.delete(socket))
    }
    pass(client, upstream)
    for (const socket of [client, upstream]) {
      socket.once('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
