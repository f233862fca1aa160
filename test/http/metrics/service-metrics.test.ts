import { expect } from 'chai'
import { valueOf } from '../../support/metric-samples.js'
import { createBrowser, freshEmail, newcomer, refreshWith } from '../../support/http/browser.js'
import { guarded, logInWith } from '../../support/http/factor.js'
import { meteredServices, STATELESS_MODE, type MeteredService } from './metered-services.js'

const [LOGINS, REFRESHES] = ['kennel_logins_total', 'kennel_refreshes_total']
const [OPENED, ENDED] = ['kennel_sessions_opened_total', 'kennel_sessions_ended_total']
const HASHES = ['kennel_password_hash_duration_seconds_count', 'kennel_password_hash_wait_seconds_count']

/** The server counts a request when its connection has the reply, perhaps a moment after the client has it. */
async function requestsWhen(service: MeteredService, labels: string) {
  for (;;) {
    const counts = await service.counts('kennel_http_requests_total')
    if (counts[labels]) return counts
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('the metrics of a service', () => {
  const serve = meteredServices()

  it('count logins by outcome, and a password hash for each, even for unknown emails', async () => {
    const service = await serve({ loginLimit: { count: 2, window: 900_000 } })
    const account = await guarded(service)
    const before = await service.text()
    for (const code of [undefined, 'none']) await logInWith(service, account, code)
    for (let n = 0; n < 3; n += 1) await createBrowser(service, 'ada@example.com').login('wrong')
    await createBrowser(service, freshEmail()).login('wrong')
    expect(await service.counts(LOGINS)).to.deep.equal({
      success: 1,
      'second-factor-required': 1,
      'login-failed': 4,
      'too-many-attempts': 1,
    })
    const after = await service.text()
    for (const name of HASHES) expect(valueOf(after, name)).to.equal((valueOf(before, name) ?? 0) + 5)
  })

  it('count sessions and refreshes', async () => {
    const service = await serve()
    const browser = await newcomer(service)
    const first = browser.held()
    await browser.refresh()
    await refreshWith(service, first)
    await browser.login()
    service.clock.now += 60_000
    await browser.logout()
    expect(await service.counts(REFRESHES)).to.deep.equal({ rotated: 1, superseded: 1 })
    expect(await service.counts(OPENED)).to.deep.equal({ '': 2 })
    expect(await service.counts(ENDED)).to.deep.equal({ ended: 2 })
  })

  it('count a refresh without sessions as renewed', async () => {
    const service = await serve(STATELESS_MODE)
    await (await newcomer(service)).refresh()
    expect(await service.counts(REFRESHES)).to.deep.equal({ renewed: 1 })
    expect(await service.counts(OPENED)).to.deep.equal({})
  })

  it('count requests by method, route pattern and status, never by ID, path or invented method', async () => {
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
