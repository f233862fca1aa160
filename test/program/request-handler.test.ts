import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createHandler } from '../../src/adapters/web/index.js'
import { directPartsOf } from '../../src/http/direct-parts.js'
import { openKennel, type Kennel } from '../../src/index.js'
import { createRequestListener, type Listener } from '../../src/program/request-handler.js'
import { collectingLog } from '../support/log-collector.js'
import { PASSPHRASE } from '../support/http/service.js'

describe('the request listener of the service', () => {
  const { log, lines } = collectingLog()
  let kennel: Kennel
  before(async () => {
    const settings = { production: false, background: false, publicUrl: 'http://localhost:3000' }
    kennel = await openKennel({ store: 'memory:', passphrase: PASSPHRASE, ...settings, parts: { log } })
  })
  after(() => kennel.close())
  beforeEach(() => {
    lines.length = 0
  })

  /** Returns the status of the reply to each method, or `closed`. */
  async function repliesTo(methods: readonly string[], load: () => Promise<Listener>): Promise<unknown[]> {
    const parts = directPartsOf(createHandler(kennel))!
    const { handle } = createRequestListener(parts, load)
    const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/health/live`
    const replies = []
    for (const method of methods) {
      const reply = fetch(address, { method })
      replies.push(await reply.then(({ status }) => status).catch(() => 'closed'))
    }
    server.closeAllConnections()
    server.close()
    return replies
  }

  const teapot: Listener = (_request, response) => {
    response.writeHead(418).end()
    return Promise.resolve()
  }

  it('loads the full listener only once, for the first request that is not a plain GET', async () => {
    const loaded: string[] = []
    const load = () => {
      loaded.push('loaded')
      return Promise.resolve(teapot)
    }
    expect(await repliesTo(['GET', 'GET'], load)).to.deep.equal([200, 200])
    expect(loaded).to.have.length(0)
    expect(await repliesTo(['GET', 'DELETE', 'DELETE', 'GET'], load)).to.deep.equal([200, 418, 418, 200])
    expect(loaded).to.have.length(1)
  })

  it('closes the connection if loading fails, and tries again at the next request', async () => {
    let tries = 0
    const load = () => {
      tries += 1
      return tries === 1 ? Promise.reject(new Error('the file is missing')) : Promise.resolve(teapot)
    }
    expect(await repliesTo(['DELETE', 'DELETE'], load)).to.deep.equal(['closed', 418])
    expect(lines.filter(({ level }) => level === 'error').map(({ event }) => event)).to.deep.equal([
      'reply failed',
    ])
  })
})
