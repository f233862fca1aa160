import { once } from 'node:events'
import { request as send, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { bindServer } from '../../src/adapters/koa/index.js'
import { PRODUCTION, settingsOf } from '../configuration/reading.js'
import { reservedPort } from '../support/reserved-port.js'
import { describeBehindNginx } from './nginx.js'

const WAVES = 20
const PER_WAVE = 100

async function post(port: number): Promise<number | undefined> {
  const outgoing = send({ host: '127.0.0.1', port, method: 'POST', headers: { Host: 'pets.example' } })
  outgoing.end('{}')
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
  await once(reply.resume(), 'end')
  return reply.statusCode
}

describeBehindNginx('connections that nginx keeps to the service', (start) => {
  it('lose none of 2,000 POST requests that are sent while idle connections are closed', async () => {
    const { requestTimeout, keepAliveTimeout } = settingsOf(PRODUCTION)
    const server = await bindServer('127.0.0.1', 0, { requestTimeout, keepAliveTimeout })
    const sockets = new Set<Socket>()
    let oneClosed: () => void = () => undefined
    server.serve((request, response) => {
      if (!sockets.has(request.socket))
        request.socket.once('close', () => {
          oneClosed()
        })
      sockets.add(request.socket)
      request.resume().once('end', () => response.end('{}'))
    })
    const port = await reservedPort()
    const origin = `http://127.0.0.1:${server.port}`
    await start({
      port,
      tls: false,
      address: '127.0.0.1',
      upstreams: { 'pets.example': origin },
      idle: '50ms',
    })
    const statuses: (number | undefined)[] = []
    for (let wave = 0; wave < WAVES; wave += 1) {
      const idleClosed = new Promise<void>((resolve) => (oneClosed = resolve))
      statuses.push(...(await Promise.all(Array.from({ length: PER_WAVE }, () => post(port)))))
      // The next wave finds connections that are being closed.
      await idleClosed
    }
    expect(statuses).to.deep.equal(Array(WAVES * PER_WAVE).fill(200))
    expect(sockets.size, 'connections are used again').to.be.below(WAVES * PER_WAVE)
    await server.drain(0)
  })
})
