import { expect } from 'chai'
import { createHandler, type Handler } from '../../../src/adapters/web/index.js'
import type { CompletedRequest } from '../../../src/ports/metrics.js'
import type { AuditRecord } from '../../../src/domain/audit.js'
import type { Kennel } from '../../../src/index.js'
import { countingInto } from '../../http/server/observed.js'
import { collectingLog } from '../../support/log-collector.js'
import { PASSWORD } from '../../support/http/service.js'
import { EMAIL, ORIGIN, openMemoryKennel } from '../../support/http/memory-kennel.js'

const UNAVAILABLE = 'The service is unavailable, try again shortly.'

function loginRequest(): Request {
  const body = JSON.stringify({ email: EMAIL, password: PASSWORD })
  const headers = { 'Content-Type': 'application/json' }
  return new Request(`${ORIGIN}/api/auth/login`, { method: 'POST', headers, body })
}

/** A request with a property whose getter throws this error. */
function brokenAt(request: Request, member: string, error: Error): Request {
  return Object.defineProperty(request, member, {
    get: () => {
      throw error
    },
  })
}

describe('the web handler', () => {
  const audited: AuditRecord[] = []
  let kennel: Kennel
  let handler: Handler

  beforeEach(async () => {
    audited.length = 0
    const auditSinks = [{ append: async (record: AuditRecord) => void audited.push(record) }]
    kennel = await openMemoryKennel({ corsOrigins: ['https://app.example'], parts: { auditSinks } })
    handler = createHandler(kennel)
  })
  afterEach(() => kennel.close())

  const get = (path: string, headers: Record<string, string> = {}) =>
    handler(new Request(`${ORIGIN}${path}`, { headers }))
  const login = (info?: { address?: string }) => handler(loginRequest(), info)

  it('does not compress its responses under Next.js, which would send them as if they were not compressed', async () => {
    const [address = ''] = /docs\/page\.\w+\.js/.exec(await (await get('/docs')).text()) ?? []
    const request = () => new Request(`${ORIGIN}/${address}`, { headers: { 'Accept-Encoding': 'gzip' } })
    const asNextDoes = Object.assign(request(), { nextUrl: new URL(ORIGIN) })
    const replies = [await handler(request()), await handler(asNextDoes)]
    const encodings = replies.map(({ headers }) => headers.get('Content-Encoding'))
    expect(encodings).to.deep.equal(['gzip', null])
  })

  it('is not created without an open Kennel instance, or with an unknown option', () => {
    for (const other of [undefined, {}, Promise.resolve(kennel)])
      expect(() => createHandler(other as never)).to.throw(TypeError, 'await openKennel')
    const misspelled = { prefx: '/kennel' } as never
    const sentence = 'prefx is not a valid option of createHandler; did you mean prefix?'
    expect(() => createHandler(kennel, misspelled)).to.throw(TypeError, sentence)
  })

  it('uses only the client address that is passed as an argument', async () => {
    await login({ address: '192.0.2.7' })
    await login()
    // Bun passes its server as the second argument.
    await login({ address: { address: '::', family: 'IPv6', port: 3000 } } as never)
    const logins = audited.filter(({ event }) => event === 'login')
    expect(logins.map(({ address }) => address)).to.deep.equal(['192.0.2.7', undefined, undefined])
  })

  it('removes its prefix, and responds with 404 to paths without it', async () => {
    const mounted = createHandler(kennel, { prefix: '/kennel' })
    const status = async (path: string) => (await mounted(new Request(`${ORIGIN}${path}`))).status
    expect(await status('/kennel/health/live')).to.equal(200)
    expect(await status('/kennel/health/live?a=/b#c')).to.equal(200)
    for (const path of ['/health/live', '/kennels/health/live', '/kennel/kennel/health/live'])
      expect(await status(path), path).to.equal(404)
    const description = await mounted(new Request(`${ORIGIN}/kennel/openapi.json`))
    expect(await description.json()).to.have.deep.property('servers', [{ url: `${ORIGIN}/kennel` }])
  })

  it('responds with 400 if the platform cannot parse the request URL', async () => {
    for (const handle of [handler, createHandler(kennel, { prefix: '/kennel' })]) {
      const reply = await handle(brokenAt(new Request(ORIGIN), 'url', new TypeError('Invalid URL')))
      const message = 'The address of the request cannot be read.'
      expect([reply.status, await reply.json()]).to.deep.equal([400, { code: 400, message }])
    }
  })

  it('rejects a prefix that is not a path', () => {
    for (const prefix of ['kennel', '/', '/kennel/', '//evil.example', '/a b', '/a?b'])
      expect(() => createHandler(kennel, { prefix })).to.throw(TypeError, 'must be a path such as /kennel')
  })

  it('responds with 503 on every path after its Kennel instance is closed', async () => {
    expect(kennel.closed).to.equal(false)
    await kennel.close()
    expect(kennel.closed).to.equal(true)
    for (const path of ['/health/live', '/v1/pets', '/openapi.json', '/nothing', '/docs']) {
      const reply = await get(path)
      expect([reply.status, reply.headers.get('Retry-After')], path).to.deep.equal([503, '2'])
      expect(await reply.json(), path).to.deep.equal({ code: 503, message: UNAVAILABLE })
    }
    const ready = await get('/health/ready')
    expect([ready.status, await ready.json()]).to.deep.equal([503, { status: 'unavailable' }])
    const preflight = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' }
    const asked = new Request(`${ORIGIN}/api/auth/login`, { method: 'OPTIONS', headers: preflight })
    expect((await handler(asked)).status).to.equal(503)
    const identity = await login()
    expect(identity.status).to.equal(503)
    expect(await identity.json()).to.have.nested.property('view.messages[0].message', UNAVAILABLE)
  })

  it('rejects a body timeout that is not valid for a timer', () => {
    for (const bodyTimeout of [0, -1, 0.5, Number.NaN, Infinity, 2 ** 31])
      expect(() => createHandler(kennel, { bodyTimeout })).to.throw(TypeError, 'bodyTimeout must be')
  })

  it('discards a body without length headers if no endpoint reads the body', async () => {
    let waiting = 50
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (waiting === 0) controller.close()
        else controller.enqueue(new Uint8Array(1000))
        waiting -= 1
      },
    })
    const request = new Request(`${ORIGIN}/nothing`, { method: 'POST', body, duplex: 'half' })
    expect((await handler(request)).status).to.equal(404)
    while (waiting >= 0) await new Promise((resolve) => setImmediate(resolve))
  })
})

describe('the web handler with a log and metrics', () => {
  async function watched(
    act: (handler: Handler, kennel: Kennel) => Promise<unknown>,
    kennelChanges: object = {},
  ) {
    const { log, lines, requests } = collectingLog()
    const counted: CompletedRequest[] = []
    const kennel = await openMemoryKennel()
    const served = Object.assign(Object.create(kennel) as Kennel, kennelChanges)
    await act(createHandler(served, { log, metrics: countingInto(counted) }), served)
    await kennel.close()
    return { lines, requests, counted }
  }

  it('reports each request once', async () => {
    const { requests, counted } = await watched(async (handler) => {
      await handler(new Request(`${ORIGIN}/v1/pets/7`, { method: 'HEAD' }))
      await handler(new Request(`${ORIGIN}/v1/pets/7`, { method: 'PUT' }))
      await handler(new Request(`${ORIGIN}/nothing`, { method: 'BREW' }))
    })
    const told = [
      ['HEAD', '/v1/pets/:petId', 401],
      ['PUT', '/v1/pets/:petId', 405],
      ['other', 'unmatched', 405],
    ]
    expect(requests.map(({ fields }) => [fields.method, fields.route, fields.status])).to.deep.equal(told)
    expect(counted.map(({ method, route, status }) => [method, route, status])).to.deep.equal(told)
  })

  it('does not log the name of an unknown method', async () => {
    const { lines } = await watched(async (handler, kennel) => {
      await kennel.close()
      await handler(new Request(`${ORIGIN}/nothing`, { method: 'MADE-UP' }))
    })
    expect(lines.map(({ event, fields }) => [event, fields.method])).to.deep.equal([
      ['request refused', 'other'],
    ])
  })

  it('reports only an aborted request if the client disconnects', async () => {
    const controller = new AbortController()
    const body = new ReadableStream<Uint8Array>({ start: (stream) => stream.enqueue(new Uint8Array([0x7b])) })
    const { lines, requests, counted } = await watched(async (handler) => {
      const init = { method: 'POST', body, duplex: 'half' as const, signal: controller.signal }
      const headers = { 'Content-Type': 'application/json', 'Content-Length': '10' }
      const answer = handler(new Request(`${ORIGIN}/api/auth/login`, { ...init, headers }))
      controller.abort()
      await answer
    })
    expect(lines).to.deep.equal([])
    expect(requests.map(({ event }) => event)).to.deep.equal(['request aborted'])
    expect(counted.map(({ status }) => status)).to.deep.equal(['aborted'])
  })

  it('responds to an internal error with an empty 500 response', async () => {
    const broken = { ready: () => Promise.resolve(), login: () => Promise.reject(new Error('secret')) }
    const { lines } = await watched(async (handler) => {
      const reply = await handler(loginRequest())
      expect(reply.status).to.equal(500)
      expect(await reply.text())
        .to.include('Internal error.')
        .and.not.include('secret')
    }, broken)
    expect(lines.map(({ event }) => event)).to.deep.equal(['request failed'])
  })

  it('explains the mistake if another handler has already read the body', async () => {
    const { lines } = await watched(async (handler) => {
      const request = loginRequest()
      request.headers.set('Content-Length', '2')
      await request.text()
      expect((await handler(request)).status).to.equal(500)
    })
    const [line, ...others] = lines
    expect(others).to.deep.equal([])
    expect(String(line?.fields.error)).to.include('must come before any code that reads bodies')
  })

  it('never rejects', async () => {
    const connection = {
      get address(): string {
        throw new Error('secret')
      },
    }
    const { lines } = await watched(async (handler) => {
      const reply = await handler(new Request(`${ORIGIN}/api/auth/login`), connection)
      expect(reply.status).to.equal(500)
      expect(await reply.json()).to.have.nested.property('view.messages[0].message', 'Internal error.')
      expect(reply.headers.get('X-Content-Type-Options')).to.equal('nosniff')
    })
    expect(lines.map(({ event }) => event)).to.deep.equal(['reply failed'])
  })
})
