import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { expect } from 'chai'
import { requestText } from '../support/http/wire.js'
import { type Serving, workplaceOfTests } from './app.js'

const EMAIL = 'ada@example.com'
const PASSWORD = 'a quiet river at dusk'
const DEAF = 400

describe('app serve with few descriptors, and many clients that never read', () => {
  const deaf: Socket[] = []
  afterEach(() => {
    for (const socket of deaf.splice(0)) socket.destroy()
  })
  // Declared after the hook above, so that its folder is removed after the sockets are closed.
  const place = workplaceOfTests()

  it('serves other clients again after they are cut off, and can be stopped', async () => {
    const { code } = await place.app(['user', 'create', EMAIL, '--password-stdin'], {
      input: `${PASSWORD}\n`,
    })
    expect(code).to.equal(0)
    const service = await place.serve({ REQUEST_TIMEOUT: '500ms' }, { descriptors: 256 })
    const { origin, log } = service
    expect(log()).to.match(
      /MAX_CONNECTIONS is 10000, but .* only 256 files and sockets: it takes 128 connections/,
    )
    for (let count = 0; count < DEAF; count += 1) deaf.push(await connectDeaf(origin))
    const { status } = await untilAnswered(service)
    expect(status).to.equal(200)
    expect(log()).to.include('"connections closed"')
    expect(log()).not.to.include('"level":"error"')
    expect(await service.stop()).to.equal(0)
  })
})

async function connectDeaf(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  // Connections above the limit are reset.
  socket.on('error', () => undefined)
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  socket.pause()
  socket.write(requestText('GET /openapi.json HTTP/1.1', { Host: 'x' }).repeat(500))
  return socket
}

/** Retries a login while the server closes the connection because there are too many. */
async function untilAnswered({ logIn }: Serving): Promise<Response> {
  for (;;) {
    const answer = await logIn(EMAIL, PASSWORD).catch(() => undefined)
    if (answer) return answer
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
