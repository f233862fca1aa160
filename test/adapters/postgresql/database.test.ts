import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect } from 'chai'
import { connectDatabase } from '../../../src/adapters/postgresql/database.js'
import { refusalOf } from '../../support/refusal-of.js'

describe('a PostgreSQL server that closes every connection', () => {
  it('gets one connection for each call', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const database = await connectDatabase(`postgresql://kennel@127.0.0.1:${String(port)}/kennel`)
    try {
      const { detail } = await refusalOf(database.statements.read('SELECT 1').get())
      expect(detail).to.match(
        /^(No PostgreSQL server can be reached|The connection to the PostgreSQL server broke)/,
      )
      expect(connections).to.equal(1)
    } finally {
      await database.close()
      server.close()
    }
  })
})
