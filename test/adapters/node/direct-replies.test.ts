import { once } from 'node:events'
import { createServer, IncomingMessage, ServerResponse, type RequestListener } from 'node:http'
import { Socket, type AddressInfo } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import { createHttpService } from '../../../src/adapters/koa/index.js'
import { createDirectReplies } from '../../../src/adapters/node/direct-replies.js'
import { createListener } from '../../../src/adapters/node/index.js'
import { createHandler } from '../../../src/adapters/web/index.js'
import { directPartsOf } from '../../../src/http/direct-parts.js'
import type { HttpReply } from '../../../src/http/message.js'
import type { Kennel } from '../../../src/index.js'
import type { Log } from '../../../src/ports/log.js'
import type { CompletedRequest, Metrics } from '../../../src/ports/metrics.js'
import { createClient, type Client, type Reply } from '../../support/http/client.js'
import { collectingLog } from '../../support/log-collector.js'
import { EMAIL, openMemoryKennel } from '../../support/http/memory-kennel.js'
import { PASSWORD } from '../../support/http/service.js'

const PAGES = 'https://app.example'
const PREFIX = '/kennel'
const DIFFERENT = ['date', 'x-request-id']

type Target = readonly [path: string, headers?: Readonly<Record<string, string>>]

/** Headers in alphabetical order: a Koa application that mounts Kennel sets the content type again, which changes the order. */
function headersOf({ rawHeaders }: Reply): readonly string[] {
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !DIFFERENT.includes(name.toLowerCase()) ? [`${name}: ${String(rawHeaders[at + 1])}`] : [],
  )
  return headers.toSorted()
}

/** A client of a server with this listener. */
async function serving(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = createClient(`http://127.0.0.1:${port}`, () => undefined)
  const stop = () => {
    client.close()
    server.close()
  }
  return { client, stop }
}

/** A host with direct replies, and the same host without direct replies. */
type Hosts = {
  readonly direct: RequestListener
  readonly indirect: RequestListener
}

type Observed = { readonly log: Log; readonly metrics: Metrics }

function koaHosts(kennel: Kennel, observed: Observed): Hosts {
  const parts = { ...observed, useCases: kennel, settings: kennel.httpSettings }
  const service = createHttpService({ ...parts, readiness: () => kennel.ready() })
  const answer = service.callback()
  const stack = new Koa().use(service).callback()
  return {
    direct: (request, response) => void answer(request, response),
    indirect: (request, response) => void stack(request, response),
  }
}

function webHosts(kennel: Kennel, observed: Observed): Hosts {
  const handler = createHandler(kennel, { ...observed, prefix: PREFIX })
  const wrapped = createListener((request, info) => handler(request, info))
  return { direct: createListener(handler), indirect: wrapped }
}

const HOSTS = [
  { name: 'Koa', prefix: '', hostsOf: koaHosts },
  { name: 'a web handler', prefix: PREFIX, hostsOf: webHosts },
]

for (const { name, prefix, hostsOf } of HOSTS)
  describe(`a GET request that is answered without ${name}`, () => {
    const collected = collectingLog()
    const counted: CompletedRequest[] = []
    const stops: (() => void)[] = []
    let kennel: Kennel
    let direct: Client
    let indirect: Client
    let login: Readonly<Record<string, string>>

    async function serve(listener: RequestListener): Promise<Client> {
      const { client, stop } = await serving(listener)
      stops.push(stop)
      return client
    }

    async function logIn(email: string): Promise<Readonly<Record<string, string>>> {
      const issued = await kennel.login({ email, password: PASSWORD, presented: {} })
      const cookie = `__Host-sid=${String(issued.sessionKey)}`
      return { Cookie: cookie, 'X-Authorization': `Bearer ${issued.accessToken}` }
    }

    const basic = { Authorization: `Basic ${Buffer.from(`${EMAIL}:${PASSWORD}`).toString('base64')}` }

    before(async () => {
      kennel = await openMemoryKennel({ publicUrl: PAGES, corsOrigins: [PAGES] })
      const metrics = {
        requestAnswered: (one: CompletedRequest) => counted.push(one),
      } as Partial<Metrics> as Metrics
      const hosts = hostsOf(kennel, { log: collected.log, metrics })
      direct = await serve(hosts.direct)
      indirect = await serve(hosts.indirect)
      for (const name of ['Rex', 'Zoë'])
        await direct.call('POST', `${prefix}/v1/pets`, { headers: basic, json: { name } })
      login = await logIn(EMAIL)
    })
    after(async () => {
      for (const stop of stops) stop()
      await kennel.close()
    })

    const TARGETS: Readonly<Record<string, () => Target>> = {
      'an identity': () => ['/api/auth/get-identity', login],
      'no identity': () => ['/api/auth/get-identity'],
      'a pet with a letter of two bytes': () => ['/v1/pets/2', basic],
      'an unchanged pet': () => ['/v1/pets/1', { ...basic, 'If-None-Match': '"1-1"' }],
      'no pet': () => ['/v1/pets/99', basic],
      'a page with a wrong limit': () => ['/v1/pets?limit=0', basic],
      'a challenge': () => ['/v1/pets'],
      'the description': () => ['/openapi.json', { Origin: PAGES, 'Accept-Encoding': 'gzip' }],
      'a page': () => ['/docs', { Accept: 'text/html' }],
      'a segment with dots': () => ['/v1/pets/..', basic],
    }
    for (const [what, target] of Object.entries(TARGETS))
      it(`gets exactly the same reply: ${what}`, async () => {
        const [path, headers = {}] = target()
        const call = async (client: Client) => {
          const reply = await client.call('GET', `${prefix}${path}`, { headers })
          return [reply.status, headersOf(reply), reply.text]
        }
        expect(await call(direct)).to.deep.equal(await call(indirect))
      })

    it('is logged and counted like any other request', async () => {
      collected.requests.length = counted.length = 0
      const replies = []
      for (const client of [direct, indirect])
        replies.push(await client.call('GET', `${prefix}/v1/pets/2?a=b`, { headers: basic }))
      expect(collected.requests.map(({ fields }) => fields.requestId)).to.deep.equal(
        replies.map(({ headers }) => headers['x-request-id']),
      )
      const timeless = { requestId: '', durationMs: 0 }
      const [one, other] = collected.requests.map(({ fields }) => ({ ...fields, ...timeless }))
      expect(one).to.include({ route: '/v1/pets/:petId', status: 200, accountId: 1 })
      expect(one).to.deep.equal(other)
      const [first, second] = counted.map((completed) => ({ ...completed, duration: 0 }))
      expect(first).to.deep.equal(second)
    })
  })

describe('direct replies', () => {
  let kennel: Kennel
  before(async () => {
    kennel = await openMemoryKennel()
  })
  after(() => kennel.close())

  type Changed = {
    readonly method?: string
    readonly url?: string
    readonly headers?: object
    readonly set?: true
  }

  function isDirect({ method = 'GET', url = '/kennel/health/live', headers = {}, set }: Changed): boolean {
    const parsed = { method, url, headers, httpVersionMajor: 1 }
    const request = Object.assign(new IncomingMessage(new Socket()), parsed)
    const response = new ServerResponse(request)
    if (set) response.setHeader('X-Set-Before', '1')
    const parts = directPartsOf(createHandler(kennel, { prefix: PREFIX }))
    return parts !== undefined && createDirectReplies(parts)(request, response)
  }

  it('are sent for a GET request to a known path', () => {
    expect(isDirect({})).to.equal(true)
    expect(isDirect({ url: '/kennel/v1/pets/1?a=b' })).to.equal(true)
  })

  const OTHERS: Readonly<Record<string, Changed>> = {
    'another method': { method: 'HEAD' },
    'a body': { headers: { 'content-length': '1' } },
    'an escape': { url: '/kennel/v1/pets/%31' },
    'a segment of dots': { url: '/kennel/v1/pets/..' },
    'a whole URL': { url: 'http://localhost/kennel/health/live' },
    'an unknown path': { url: '/kennel/nothing' },
    'a path without the prefix': { url: '/health/live' },
    'a path that only begins like the prefix': { url: '/kennels/health/live' },
    'a header that was set before': { set: true },
  }
  for (const [what, changed] of Object.entries(OTHERS))
    it(`are not sent for a request with ${what}`, () => {
      expect(isDirect(changed)).to.equal(false)
    })
  /** Returns the outcome and the logged events of a request whose endpoint returns this reply. */
  async function outcomeOf(answer: (response: ServerResponse) => HttpReply) {
    const { log, lines } = collectingLog()
    const parts = directPartsOf(createHandler(kennel)) ?? expect.fail('a handler has parts')
    const { client, stop } = await serving((request, response) => {
      const http = { ...parts.http, answer: async () => answer(response) }
      createDirectReplies({ ...parts, http, log })(request, response)
    })
    const outcome = await client.call('GET', '/health/live').then(
      ({ status }) => status,
      (error: unknown) => (error as { code: string }).code,
    )
    stop()
    return [outcome, ...lines.map(({ event }) => event)]
  }

  it('close the connection and log the error if the reply cannot be sent', async () => {
    const outcome = await outcomeOf(() => ({ status: 200, headers: { 'X-Broken': 'a\nb' }, body: {} }))
    expect(outcome).to.deep.equal(['ECONNRESET', 'reply failed'])
  })

  it('are not sent if the server has already rejected the request', async () => {
    const outcome = await outcomeOf((response) => {
      response.writeHead(408).end()
      return { status: 200, body: 'late' }
    })
    expect(outcome).to.deep.equal([408])
  })
})
