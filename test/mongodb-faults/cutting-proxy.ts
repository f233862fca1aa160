import type { Socket } from 'node:net'
import { startProxy, type Proxy } from './proxy.js'

/** The time to break the connection of a command: before the server gets it, or after the server has executed it. */
export type Cut = 'before' | 'after'

/** A proxy to the server that breaks connections on demand. */
export type CuttingProxy = Proxy & {
  /** Breaks the next connection whose bytes contain this text, once; resolves when it is broken. */
  cutNext(text: string, when: Cut): Promise<void>
}

type Order = { readonly text: string; readonly when: Cut; readonly done: () => void }

/** Passes bytes on in both directions to `host:port`. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  let order: Order | undefined
  const take = (bytes: Buffer): Order | undefined => {
    if (!order || !bytes.includes(order.text)) return undefined
    const taken = order
    order = undefined
    return taken
  }
  const proxy = await startProxy(target, (client, upstream) => pass(client, upstream, take))
  return { ...proxy, cutNext: (text, when) => new Promise((done) => (order = { text, when, done })) }
}

/** A command gets one reply, so the next bytes from the server are the reply to the cut command. */
function pass(client: Socket, upstream: Socket, take: (bytes: Buffer) => Order | undefined): void {
  let cut: Order | undefined
  const end = () => {
    client.destroy()
    upstream.destroy()
  }
  client.on('data', (bytes) => {
    cut ??= take(bytes)
    if (cut?.when !== 'before') upstream.write(bytes)
    else {
      end()
      cut.done()
    }
  })
  upstream.on('data', (bytes) => {
    if (!cut) client.write(bytes)
    else {
      end()
      cut.done()
    }
  })
  client.once('end', end)
  upstream.once('end', end)
}
