import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A free port that stays free until the program listens there, although systems choose ports from 32768 upwards for port 0 and for outgoing
 * connections.
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
