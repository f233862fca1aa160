import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { expect } from 'chai'
import Koa from 'koa'
import { createHttpService } from '../../../src/adapters/koa/index.js'
import { createListener } from '../../../src/adapters/node/index.js'
import { createHandler } from '../../../src/adapters/web/index.js'
import { OPERATOR, type Kennel } from '../../../src/index.js'
import { completeRequests, expectedOf, outcomesOf } from '../../support/http/connection-table.js'
import { EMAIL, openMemoryKennel } from '../../support/http/memory-kennel.js'
import { PASSWORD } from '../../support/http/service.js'
import { requestText } from '../../support/http/wire.js'
import { collectingLog } from '../../support/log-collector.js'

describe('a Node server created by another program', () => {
  let kennel: Kennel
  let apiKey: string
  const servers: Server[] = []
  const { log, lines } = collectingLog()
  before(async () => {
    kennel = await openMemoryKennel({ parts: { log } })
    ;({ key: apiKey } = await kennel.createApiKey({ caller: OPERATOR, name: 'one', roles: [] }))
  })
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })
  after(() => kennel.close())

  const listen = async (server: Server): Promise<number> => {
    servers.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  const service = () => {
    const parts = { useCases: kennel, settings: kennel.httpSettings, log }
    return createHttpService({ ...parts, readiness: () => kennel.ready() })
  }
  const hosts: Readonly<Record<string, () => RequestListener>> = {
    'a listener': () => createListener(createHandler(kennel)),
    'a listener around the handler': () => {
      const handler = createHandler(kennel)
      return createListener((request, info) => handler(request, info))
    },
    'the Koa service': () => {
      const answer = service().callback()
      return (request, response) => void answer(request, response)
    },
    'a Koa application': () => {
      const answer = new Koa().use(service()).callback()
      return (request, response) => void answer(request, response)
    },
  }
  for (const [host, listenerOf] of Object.entries(hosts))
    it(`sends the expected replies to clients that send complete requests, with ${host}`, async () => {
      const port = await listen(createServer(listenerOf()))
      const table = completeRequests({ apiKey, email: EMAIL, password: PASSWORD })
      expect(await outcomesOf(`http://127.0.0.1:${port}`, table)).to.deep.equal(expectedOf(table))
      expect(lines.filter(({ level }) => level === 'error')).to.deep.equal([])
    })

  it('replies to a half-closed client over TLS, after a pause', async () => {
    const listener = createListener(async ({ url }) => {
      await new Promise((resolve) => setImmediate(resolve))
      return new Response(url)
    })
    const shared = { ciphers: 'PSK', pskCallback: () => KEY, pskIdentityHint: 'x' }
    const port = await listen(createTlsServer(shared, listener))
    const psk = { pskCallback: () => ({ psk: KEY, identity: 'x' }), checkServerIdentity: () => undefined }
    // A property that the type declarations omit.
    const halfOpen: object = { allowHalfOpen: true }
    const socket = connect({ port, ciphers: 'PSK', maxVersion: 'TLSv1.2', ...halfOpen, ...psk })
    await once(socket, 'secureConnect')
    socket.end(requestText('GET /a HTTP/1.1', { Host: 'x' }) + requestText('GET /b HTTP/1.1', { Host: 'x' }))
    expect(await text(socket)).to.match(
      /^HTTP\/1\.1 200 [^]*https:\/\/x\/a[^]*HTTP\/1\.1 200 [^]*https:\/\/x\/b/,
    )
  })
})

const KEY = Buffer.alloc(32, 7)
