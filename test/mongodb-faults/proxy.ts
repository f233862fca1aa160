import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type Proxy = { readonly host: string; readonly close: () => Promise<void> }

/** Forwards bytes between a client's socket and the server's socket. */
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
