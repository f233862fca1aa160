import { expect } from 'chai'
import { valueOf } from '../../support/metric-samples.js'
import { meteredServices, type MeteredService } from './metered-services.js'

/** Waits until the server has counted the request, which may be shortly after the client has received the reply. */
async function requestsWhen(service: MeteredService, labels: string) {
  for (;;) {
    const counts = await service.counts('kennel_http_requests_total')
    if (counts[labels]) return counts
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('the metrics of a service', () => {
  const serve = meteredServices()

  it('count requests by method, route pattern and status, but never by ID, path or unknown method', async () => {
    const service = await serve()
    for (let id = 0; id < 300; id += 1) {
      await service.client.call('GET', `/v1/pets/${id}`)
      await service.client.call('GET', `/cAnArY/${id}?id=${id}`)
      await service.client.call('DELETE', `/v1/pets/${id}`)
    }
    await service.client.call('PUT', '/api/auth/login')
    const { status } = await fetch(`${service.origin}/cAnArY`, { method: 'PROPFIND' })
    await service.client.call('HEAD', '/health/live')
    expect(await requestsWhen(service, 'HEAD /health/live 200')).to.deep.equal({
      'GET /v1/pets/:petId 401': 300,
      'DELETE /v1/pets/:petId 401': 300,
      'GET unmatched 404': 300,
      'PUT /api/auth/login 405': 1,
      [`other unmatched ${status}`]: 1,
      'HEAD /health/live 200': 1,
    })
    const live = { method: 'HEAD', route: '/health/live' }
    const text = await service.text()
    expect(valueOf(text, 'kennel_http_request_duration_seconds_count', live)).to.equal(1)
    expect(valueOf(text, 'kennel_http_request_duration_seconds_sum', live)).to.be.greaterThan(0)
  })
})
