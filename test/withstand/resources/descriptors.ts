import { connect } from 'node:net'
import { requestText } from '../../support/http/wire.js'
import type { Site } from '../real-service/site.js'

const HANGS = 60_000

/** Makes so many new connections, one after the other: each is answered, or closed, and none is left waiting. */
export async function makeConnections({ origin, violations }: Site, count: number): Promise<void> {
  const { hostname, port } = new URL(origin)
  for (let made = 0; made < count; made += 1) {
    const socket = connect(Number(port), hostname)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    socket.write(requestText('GET /health/live HTTP/1.1', { Host: 'x', Connection: 'close' }))
    socket.resume()
    const late = setTimeout(() => {
      violations.push('a new connection was neither answered nor closed')
      socket.destroy()
    }, HANGS)
    await closed
    clearTimeout(late)
  }
}
