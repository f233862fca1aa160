import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** When to break the connection on which a command came: before the server had it, or after it was done. */
export type Cut = 'before' | 'after'

/** A way to the server that breaks when it is told to. */
export type CuttingProxy = {
  readonly host: string
  /** Breaks the connection of the next command whose bytes hold this text, once; resolves when it is broken. */
  cutNext(text: string, when: Cut): Promise<void>
  readonly close: () => Promise<void>
}

type Order = { readonly text: string; readonly when: Cut; readonly done: () => void }

/** Passes bytes on in both directions to `host:port`. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const [host = '', port = ''] = target.split(':')
  const sockets = new Set<Socket>()
  let order: Order | undefined
  const take = (bytes: Buffer): Order | undefined => {
    if (!order || !bytes.includes(order.text)) return undefined
    const taken = order
    order = undefined
    return taken
  }
  const server = createServer((client) => {
    const upstream = connect(Number(port), host)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => sockets.delete(socket))
    }
    pass(client, upstream, take)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    cutNext: (text, when) => new Promise((done) => (order = { text, when, done })),
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
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
  client.once('close', end)
  upstream.once('close', end)
}
