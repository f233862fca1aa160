import { expect } from 'chai'
import { samplesIn, valueOf } from '../../support/metric-samples.js'
import { GET_IDENTITY, newcomer } from '../../support/http/browser.js'
import { createGate, watching } from '../../support/watched-store.js'
import { openWire } from '../../support/http/wire.js'
import { meteredServices, type MeteredService } from './metered-services.js'

const REQUESTS = 'kennel_http_requests_total'

/** The server counts a request when its connection has the reply, perhaps a moment after the client has it. */
async function countsWhen(service: MeteredService, labels: string, count = 1) {
  for (;;) {
    const counts = await service.counts(REQUESTS)
    if ((counts[labels] ?? 0) >= count) return counts
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('metrics of requests', () => {
  const serve = meteredServices()

  it('are grouped by route pattern, method and status', async () => {
    const service = await serve()
    await service.client.call('GET', '/v1/pets/7')
    await service.client.call('GET', '/v1/pets/8')
    await service.client.call('GET', '/health/live')
    await service.client.call('HEAD', '/health/live')
    const counts = await countsWhen(service, 'HEAD /health/live 200')
    const pets = Object.entries(counts).filter(([labels]) => labels.includes('pets'))
    expect(pets).to.deep.equal([['GET /v1/pets/:petId 401', 2]])
    expect(counts['GET /health/live 200']).to.equal(1)
  })

  it('include unknown paths, unsupported methods and unknown methods', async () => {
    const service = await serve()
    await service.client.call('GET', '/cAnArY')
    await service.client.call('PUT', '/api/auth/login')
    const { status } = await fetch(`${service.origin}/cAnArY`, { method: 'PROPFIND' })
    const counts = await countsWhen(service, `other unmatched ${status}`)
    expect(counts).to.deep.equal({
      'GET unmatched 404': 1,
      'PUT /api/auth/login 405': 1,
      [`other unmatched ${status}`]: 1,
    })
  })

  it('include a request whose body did not arrive in time', async () => {
    const service = await serve({ requestTimeout: 200 })
    const wire = await openWire(service.origin)
    wire.send('POST /api/auth/login HTTP/1.1\r\nContent-Type: application/json\r\n')
    wire.send('Content-Length: 50\r\n\r\n{"email":')
    const [reply] = await wire.closed()
    expect(reply?.status).to.equal(408)
    await countsWhen(service, 'POST /api/auth/login 408')
  })

  it('include a request whose client disconnected before the reply', async () => {
    const gate = createGate()
    const aroundStore = watching(async (name, run) => {
      if (name === 'sessions.find') await gate.pass()
      return await run()
    })
    const service = await serve({ aroundStore })
    const { cookie = '', accessToken = '' } = (await newcomer(service)).held()
    const wire = await openWire(service.origin)
    wire.send(`GET ${GET_IDENTITY} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n`)
    wire.send(`X-Authorization: Bearer ${accessToken}\r\n\r\n`)
    await gate.reached
    wire.destroy()
    await countsWhen(service, `GET ${GET_IDENTITY} aborted`)
    gate.release()
  })

  it('stay the same number for a thousand different IDs, paths, methods and queries', async () => {
    const service = await serve()
    const ask = async (from: number, to: number) => {
      for (let id = from; id < to; id += 1) {
        await service.client.call('GET', `/v1/pets/${id}`)
        await service.client.call('GET', `/cAnArY/${id}?id=${id}`)
        await service.client.call('DELETE', `/v1/pets/${id}`)
      }
    }
    const series = async () =>
      samplesIn(await service.text()).filter(({ name }) => name.startsWith('kennel_')).length
    await ask(0, 2)
    await countsWhen(service, 'GET unmatched 404', 2)
    const before = await series()
    await ask(2, 350)
    await countsWhen(service, 'GET unmatched 404', 350)
    expect(await series()).to.equal(before)
  })

  it('have durations', async () => {
    const service = await serve()
    await service.client.call('GET', '/health/live')
    await countsWhen(service, 'GET /health/live 200')
    const live = { method: 'GET', route: '/health/live' }
    const text = await service.text()
    expect(valueOf(text, 'kennel_http_request_duration_seconds_count', live)).to.equal(1)
    expect(valueOf(text, 'kennel_http_request_duration_seconds_sum', live)).to.be.greaterThan(0)
  })

  it('are not served on the port of the service', async () => {
    const service = await serve()
    expect((await fetch(`${service.origin}/metrics`)).status).to.equal(404)
  })
})
