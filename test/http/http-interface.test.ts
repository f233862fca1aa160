import { expect } from 'chai'
import { createHandler, type Handler } from '../../src/adapters/web/index.js'
import { type Kennel, openKennel } from '../../src/index.js'
import { PASSWORD } from '../support/http/service.js'
import { EMAIL, ORIGIN, openMemoryKennel } from '../support/http/memory-kennel.js'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { registeredUseCases } from '../../src/http/parts.js'
import { goodOptions } from '../embedding/opening.js'
import { createGate, watching } from '../support/watched-store.js'

const ADA = { email: EMAIL, password: PASSWORD }

describe('the HTTP interface, regardless of the Accept header', () => {
  let kennel: Kennel
  let handler: Handler
  const credentials = { Authorization: `Basic ${btoa(`${EMAIL}:${PASSWORD}`)}` }
  before(async () => {
    kennel = await openMemoryKennel()
    handler = createHandler(kennel)
  })
  after(() => kennel.close())

  const JSON_TYPE = { 'Content-Type': 'application/json' }
  const login = JSON.stringify(ADA)
  const REQUESTS: Readonly<Record<string, RequestInit>> = {
    '/api/auth/login': { method: 'POST', headers: JSON_TYPE, body: login },
    '/v1/pets': { headers: credentials },
    '/docs': {},
    '/nothing': {},
  }
  const TYPES = ['image/*', 'text/html', 'application/json;q=0', '*/*;q=0', 'not a type', '']
  for (const [path, request] of Object.entries(REQUESTS))
    it(`responds with its own content type at ${path}`, async () => {
      const seen = async (accept?: string) => {
        const asked = new Request(`${ORIGIN}${path}`, request)
        if (accept !== undefined) asked.headers.set('Accept', accept)
        const { status, headers: received } = await handler(asked)
        return { status, type: received.get('Content-Type') }
      }
      const usual = await seen()
      for (const accept of TYPES) expect(await seen(accept), accept).to.deep.equal(usual)
    })
})

describe('the HTTP interface at /', () => {
  const kennels: Kennel[] = []
  afterEach(() => Promise.all(kennels.splice(0).map((one) => one.close())))
  async function get(path: string, { docs = true, prefix = '' } = {}): Promise<Response> {
    const kennel = await openMemoryKennel({ docs })
    kennels.push(kennel)
    return await createHandler(kennel, { prefix })(new Request(`${ORIGIN}${path}`))
  }
  const locationOf = (reply: Response, from: string) =>
    new URL(reply.headers.get('Location') ?? '', `${ORIGIN}${from}`).pathname

  it('redirects to /docs, also below a mount path and below a path prefix that a proxy strips', async () => {
    const reply = await get('/')
    expect(reply.status).to.equal(302)
    for (const from of ['', '/removed']) expect(locationOf(reply, `${from}/`)).to.equal(`${from}/docs`)
    const mounted = await get('/kennel/', { prefix: '/kennel' })
    for (const from of ['/kennel', '/kennel/']) expect(locationOf(mounted, from)).to.equal('/kennel/docs')
  })

  it('responds with 404 if the docs are off', async () => {
    expect((await get('/', { docs: false })).status).to.equal(404)
  })
})

const basic = { email: 'ada@pets.example', password: 'no password of any account' }

describe('the use cases that the HTTP interface calls', () => {
  it('make `close` wait for pending calls, and are unavailable afterwards', async () => {
    const gate = createGate()
    const store = watching(async (name, run) => {
      if (name === 'accounts.findByEmail') await gate.pass()
      return await run()
    })(createMemoryStore())
    const kennel = await openKennel(goodOptions({ store }))
    const { authenticatePetClient } = registeredUseCases(kennel)
    const order: string[] = []
    const refused = authenticatePetClient?.({ basic }).catch(() => order.push('refused'))
    await gate.reached
    const closed = kennel.close().then(() => order.push('closed'))
    gate.release()
    await Promise.all([refused, closed])
    expect(order).to.deep.equal(['refused', 'closed'])
    const late: unknown = await authenticatePetClient?.({ basic }).catch((error: unknown) => error)
    expect(late).to.have.property('code', 'unavailable')
  })

  it('include methods that the host has replaced', async () => {
    const kennel = await openKennel(goodOptions())
    const changed = { ...kennel, authorize: kennel.authorize }
    expect(registeredUseCases(changed)).to.equal(changed)
    expect(registeredUseCases(kennel)).not.to.equal(kennel)
    await kennel.close()
  })
})
