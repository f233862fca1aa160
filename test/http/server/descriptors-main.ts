import { closeSync, openSync } from 'node:fs'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { bindServer } from '../../../src/adapters/koa/index.js'
import { finish, requestText } from '../../support/http/wire.js'

// A server whose process runs out of file descriptors and later has free descriptors again.

const server = await bindServer('127.0.0.1', 0, { requestTimeout: 30_000 })
server.serve((_request, response) => finish(response))

async function answer(): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(requestText('GET / HTTP/1.1', { Connection: 'close' }))
  return (await text(socket).catch(() => '')).slice(0, 'HTTP/1.1 200'.length)
}

function openAll(): number[] {
  const descriptors: number[] = []
  try {
    for (;;) descriptors.push(openSync('/dev/null', 'r'))
  } catch {
    return descriptors
  }
}

/** Both ends of every connection are in this process. */
async function allClosed(): Promise<void> {
  while (process.getActiveResourcesInfo().includes('TCPSocketWrap')) await setImmediate()
}

const before = await answer()
await allClosed()
const descriptors = openAll()
// Leave one descriptor for the client's socket.
closeSync(descriptors.pop() ?? 0)
const without = await answer()
for (const one of descriptors) closeSync(one)
const after = await answer()
console.log(JSON.stringify({ before, without, after }))
await server.drain(0)
