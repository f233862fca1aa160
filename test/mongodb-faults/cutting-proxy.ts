import type { Socket } from 'node:net'
import { startProxy, type Proxy } from './proxy.js'

/** When to break the connection on which a command came: before the server had it, or after it was done. */
export type Cut = 'before' | 'after'

/** A way to the server that breaks when it is told to. */
export type CuttingProxy = Proxy & {
  /** Breaks the connection of the next command whose bytes hold this text, once; resolves when it is broken. */
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

/** A command is answered by one reply, so the next bytes from the server are those of the cut command. */
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
