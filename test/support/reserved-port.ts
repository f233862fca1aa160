import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a free port below 32768. The system chooses only higher ports for port 0 and outgoing connections, so the port
 * stays free until the program listens there.
 */
export async function reservedPort(): Promise<number> {
  const port = randomInt(20_000, 32_000)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return port
  } catch {
    return await reservedPort()
  } finally {
    server.close()
  }
}
