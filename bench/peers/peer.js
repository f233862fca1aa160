// `node peer.js NAME seed` creates the accounts of a peer, each with a session, and prints its clients as JSON.
// `node peer.js NAME serve` serves the peer on a free port until SIGTERM, and prints its address.
// The job arrives on standard input.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const [name, task] = process.argv.slice(2)
const { emails, ...job } = JSON.parse(await text(process.stdin))
const { open } = await import(`./${name}.js`)
const { listener, seed } = await open(job)
process.once('SIGTERM', () => process.exit())
// Exits explicitly, because timers may still be running, but only after the pipe has accepted the whole output.
if (task === 'seed') process.stdout.write(JSON.stringify(await seed(emails)), () => process.exit())
else {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}` }))
  })
}
