// Serves a peer on a free port until SIGTERM, and prints its address as one line of JSON.
import { createServer } from 'node:http'
import { openPeer } from './job.js'

const { peer } = await openPeer()
const server = createServer(peer.listener)
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}` }))
})
process.once('SIGTERM', () => process.exit())
