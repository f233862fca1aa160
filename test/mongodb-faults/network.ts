import type { Socket } from 'node:net'
import { createLink, type Liar, type Link } from './link.js'
import type { Node } from './mongod.js'
import { startProxy, type Proxy } from './proxy.js'

/** The links between members of a replica set, and from clients to them; each can be disturbed separately. */
export type Network = {
  /** The address of a member for clients and other members; opens the link to it. */
  add(node: Node): Promise<string>
  /** The link from `from`, the port of a member or the name of a client, to a member. */
  link(from: string, to: Node): Link
  /** Both directions between a member and all others. */
  between(node: Node): readonly Link[]
  /** From now on a liar intercepts new client connections. */
  lie(liar: (() => Liar) | undefined): void
  /** Ends all disturbances. */
  heal(): void
  readonly close: () => Promise<void>
}

/** A client that does not send its name. */
const ANONYMOUS = 'client'

/**
 * Members know each other by the addresses of these proxies. The first message of a connection shows which member
 * opened it: a server with fail points enabled includes its own host and port, for proxies like this one.
 */
export function createNetwork(): Network {
  const nodes: Node[] = []
  const proxies: Proxy[] = []
  const links = new Map<string, Link>()
  let createLiar: (() => Liar) | undefined
  const link = (from: string, to: Node): Link => {
    const name = `${from} to ${to.host}`
    const known = links.get(name) ?? createLink()
    links.set(name, known)
    return known
  }
  return {
    add: async (node) => {
      nodes.push(node)
      const proxy = await startProxy(node.host, (client, upstream) =>
        identify(client, (from, first) =>
          link(from, node).carry(
            client,
            upstream,
            first,
            from.startsWith('service-') ? createLiar?.() : undefined,
          ),
        ),
      )
      proxies.push(proxy)
      return proxy.host
    },
    link,
    between: (node) =>
      nodes
        .filter((other) => other !== node)
        .flatMap((other) => [link(portOf(node), other), link(portOf(other), node)]),
    lie: (liar) => (createLiar = liar),
    heal: () => {
      for (const one of links.values()) one.heal()
    },
    close: async () => {
      await Promise.all(proxies.map((proxy) => proxy.close()))
    },
  }
}

/** The first bytes of a connection hold the whole handshake. */
function identify(client: Socket, known: (from: string, first: Buffer) => void): void {
  client.once('data', (first) => {
    const text = first.toString('latin1')
    const member = /hostInfo\0.{4}[^\0]*:(\d+)\0/s.exec(text)?.[1]
    const named = /nodejs\|(service-\d)/.exec(text)?.[1]
    known(member ?? named ?? ANONYMOUS, first)
  })
}

function portOf({ host }: Node): string {
  return host.split(':')[1] ?? ''
}
