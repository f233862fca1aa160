import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createHttpService } from '../../src/adapters/koa/index.js'
import { createHandler } from '../../src/adapters/web/index.js'
import { createKennelClient } from '../../src/client/index.js'
import type { Kennel } from '../../src/index.js'
import { collectingLog } from '../support/log-collector.js'
import { PASSWORD } from '../support/http/service.js'
import { EMAIL, ORIGIN, openMemoryKennel } from '../support/http/memory-kennel.js'

const PREFIX = '/kennel'

describe('a client of a service below a path prefix', () => {
  let kennel: Kennel
  let server: Server | undefined
  beforeEach(async () => {
    kennel = await openMemoryKennel()
  })
  afterEach(async () => {
    server?.close()
    server?.closeAllConnections()
    server = undefined
    await kennel.close()
  })

  /** The Koa service, mounted as Express would mount it: it sees only the rest of the path. */
  async function mounted(): Promise<string> {
    const readiness = () => kennel.ready()
    const { httpSettings: settings } = kennel
    const parts = { useCases: kennel, settings, readiness, log: collectingLog().log, prefix: PREFIX }
    const answer = createHttpService(parts).callback()
    server = createServer((request, response) => {
      if (!request.url?.startsWith(`${PREFIX}/`)) return void response.writeHead(404).end()
      request.url = request.url.slice(PREFIX.length)
      return void answer(request, response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}${PREFIX}`
  }

  async function useAll(baseUrl: string, options: object = {}): Promise<void> {
    const basic = { email: EMAIL, password: PASSWORD }
    const client = createKennelClient({ baseUrl, ...options, pets: { basic } })
    expect((await client.login(EMAIL, PASSWORD)).user?.email).to.equal(EMAIL)
    await client.refresh()
    expect((await client.getIdentity()).loggedIn).to.equal(true)
    expect((await client.fetch('/api/auth/get-identity')).status).to.equal(200)
    const ids = [await client.pets.create({ name: 'Rex' }), await client.pets.create({ name: 'Fido' })]
    const { pet, etag } = await client.pets.read(ids[0]!)
    expect([pet.name, typeof etag]).to.deep.equal(['Rex', 'string'])
    const seen: number[] = []
    for await (const { pets } of client.pets.pages({ limit: 1 })) seen.push(...pets.map(({ id }) => id))
    expect(seen).to.deep.equal(ids)
    await client.logout()
    expect(client.identity()).to.equal(undefined)
  }

  it('calls the service in Koa', async () => {
    const baseUrl = await mounted()
    await useAll(`${baseUrl}/`)
  })

  it('calls the service in a web platform handler, without a socket', async () => {
    const handler = createHandler(kennel, { prefix: PREFIX })
    await useAll(`${ORIGIN}${PREFIX}`, {
      fetch: (address: string, init: RequestInit) => handler(new Request(address, init)),
    })
  })
})
