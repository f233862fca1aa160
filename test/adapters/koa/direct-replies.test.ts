import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import { createHttpService } from '../../../src/adapters/koa/index.js'
import { OPERATOR, openKennel, type Kennel } from '../../../src/index.js'
import { createClient, type Client, type Reply } from '../../support/http/client.js'
import { collectingLog } from '../../support/log-collector.js'
import { PASSPHRASE, PASSWORD } from '../../support/http/service.js'

const EMAIL = 'ada@example.com'
const PAGES = 'https://app.example'
const DIFFERENT = ['date', 'x-request-id']

type Target = readonly [path: string, headers?: Readonly<Record<string, string>>]

/** The headers in alphabetical order, because an outer application of Koa sets the type of a body again. */
function headersOf({ rawHeaders }: Reply): string[] {
  const lines = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !DIFFERENT.includes(name.toLowerCase()) ? [`${name}: ${String(rawHeaders[at + 1])}`] : [],
  )
  return lines.sort()
}

describe('a GET that is answered outside the stack of Koa', () => {
  const collected = collectingLog()
  const stops: (() => void)[] = []
  let kennel: Kennel
  let direct: Client
  let throughKoa: Client
  let login: Readonly<Record<string, string>>

  async function serve(listener: RequestListener): Promise<Client> {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = createClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => undefined)
    stops.push(() => {
      client.close()
      server.close()
    })
    return client
  }

  const basic = { Authorization: `Basic ${Buffer.from(`${EMAIL}:${PASSWORD}`).toString('base64')}` }

  before(async () => {
    const settings = { production: false, passwordScrypt: '10/8/1', background: false, corsOrigins: [PAGES] }
    kennel = await openKennel({ store: 'memory:', passphrase: PASSPHRASE, publicUrl: PAGES, ...settings })
    await kennel.createUser({ caller: OPERATOR, email: EMAIL, password: PASSWORD })
    const parts = { useCases: kennel, settings: kennel.httpSettings, log: collected.log }
    const service = createHttpService({ ...parts, readiness: () => kennel.ready() })
    const answer = service.callback()
    direct = await serve((request, response) => void answer(request, response))
    const stack = new Koa().use(service).callback()
    throughKoa = await serve((request, response) => void stack(request, response))
    for (const name of ['Rex', 'Mia'])
      await direct.call('POST', '/v1/pets', { headers: basic, json: { name } })
    const issued = await kennel.login({ email: EMAIL, password: PASSWORD, presented: {} })
    const cookie = `__Host-sid=${String(issued.sessionKey)}`
    login = { Cookie: cookie, 'X-Authorization': `Bearer ${issued.accessToken}` }
  })
  after(async () => {
    for (const stop of stops) stop()
    await kennel.close()
  })

  const TARGETS: Readonly<Record<string, () => Target>> = {
    'an identity': () => ['/api/auth/get-identity', login],
    'an identity for a page of another origin': () => ['/api/auth/get-identity', { ...login, Origin: PAGES }],
    'no identity': () => ['/api/auth/get-identity'],
    sessions: () => ['/api/auth/sessions?limit=1', login],
    'a pet': () => ['/v1/pets/1', basic],
    'an unchanged pet': () => ['/v1/pets/1', { ...basic, 'If-None-Match': '"1-1"' }],
    'no pet': () => ['/v1/pets/99', basic],
    'a page with a next page': () => ['/v1/pets?limit=1', basic],
    'a page with a wrong limit': () => ['/v1/pets?limit=0', basic],
    'a refused type': () => ['/v1/pets', { ...basic, Accept: 'text/html' }],
    'a challenge': () => ['/v1/pets'],
    'the description': () => ['/openapi.json', { Origin: PAGES, 'Accept-Encoding': 'gzip' }],
    'a page': () => ['/docs', { Accept: 'text/html' }],
    'an unknown path': () => ['/nothing'],
  }
  for (const [what, target] of Object.entries(TARGETS)) {
    it(`has the same bytes as through Koa: ${what}`, async () => {
      const [path, headers = {}] = target()
      const [one, other] = [
        await direct.call('GET', path, { headers }),
        await throughKoa.call('GET', path, { headers }),
      ]
      expect(one.status).to.equal(other.status)
      expect(headersOf(one)).to.deep.equal(headersOf(other))
      expect(one.text).to.equal(other.text)
    })
  }

  it('is logged in the same way', async () => {
    collected.requests.length = 0
    for (const client of [direct, throughKoa]) await client.call('GET', '/v1/pets/2?a=b', { headers: basic })
    const [one, other] = collected.requests.map(({ fields }) => ({ ...fields, requestId: '', durationMs: 0 }))
    expect(one).to.include({ route: '/v1/pets/:petId', status: 200, accountId: 1 })
    expect(one).to.deep.equal(other)
  })
})
