import { createServer } from 'node:http'
import { expect } from 'chai'
import { countsOf, samplesIn, valueOf } from '../support/metric-samples.js'
import { listening } from '../support/listening.js'
import { workplaceOfTests } from './app.js'
import { halfOf, metricsOf, processesIn, until } from './workers.js'

describe('app serve with METRICS_PORT', () => {
  const place = workplaceOfTests()

  it('logs the loopback address of the metrics before the service is ready, and serves metrics only there', async () => {
    const serving = await place.serve({ METRICS_PORT: '0' })
    const address = metricsOf(serving)
    expect(address)
      .to.match(/^http:\/\/127\.0\.0\.1:\d+$/)
      .and.to.not.equal(serving.origin)
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'cAnArY' })
    const headers = { 'Content-Type': 'application/json' }
    const login = await fetch(`${serving.origin}/api/auth/login`, { method: 'POST', headers, body })
    const text = await (await fetch(`${address}/metrics`)).text()
    const elsewhere = [
      (await fetch(`${serving.origin}/metrics`)).status,
      (await fetch(`${address}/health/live`)).status,
      (await fetch(`${address}/api/auth/get-identity`)).status,
    ]
    expect([login.status, ...elsewhere]).to.deep.equal([401, 404, 404, 404])
    expect(countsOf(text, 'kennel_logins_total')).to.deep.equal({ 'login-failed': 1 })
    expect(valueOf(text, 'kennel_password_hash_duration_seconds_count')).to.equal(1)
    expect(
      valueOf(text, 'kennel_store_call_duration_seconds_count', { port: 'accounts', outcome: 'ok' }),
    ).to.equal(1)
    expect(text).to.not.include('cAnArY')
    expect(await serving.stop()).to.equal(0)
    const gone = await fetch(`${address}/metrics`).catch((error: unknown) => error)
    expect(gone).to.be.instanceOf(Error)
  })

  it('still serves metrics while it drains', async () => {
    const serving = await place.serve({ METRICS_PORT: '0', SHUTDOWN_GRACE: '60s' })
    const halfway = await halfOf(serving.origin)
    serving.child.kill('SIGTERM')
    await until(() => serving.log().includes('"event":"stopping"'))
    const { status } = await fetch(`${metricsOf(serving)}/metrics`)
    expect([status, await halfway.finish(), await serving.ended]).to.deep.equal([200, 200, 0])
  })

  for (const [setting, names, WORKERS] of [
    ['PORT', 'HOST and PORT', '1'],
    ['PORT', 'HOST and PORT', '2'],
    ['METRICS_PORT', 'METRICS_HOST and METRICS_PORT', '1'],
  ] as const)
    it(`does not start ${WORKERS} workers if ${setting} is in use, and reports the conflict`, async () => {
      const taken = createServer()
      const { port } = new URL(await listening(taken))
      const env = { PORT: '0', METRICS_PORT: '0', WORKERS, [setting]: port }
      const { code, stderr } = await place.child(['serve'], { env })
      taken.close()
      expect([code, stderr]).to.deep.equal([1, `${names}: this address is in use by another process\n`])
      if (process.platform === 'linux') await until(() => processesIn(place.folder).length === 0)
    })

  it('serves the sum of the requests of two workers on a single port', async function () {
    if (process.platform !== 'linux') this.skip()
    const serving = await place.serve({ METRICS_PORT: '0', WORKERS: '2' })
    // Opens new connections, so that both workers get some of them.
    const headers = { 'X-API-Key': 'unknown', Connection: 'close' }
    for (let n = 0; n < 20; n += 1) await fetch(`${serving.origin}/v1/pets`, { headers })
    let text = ''
    await until(async () => {
      text = await (await fetch(`${metricsOf(serving)}/metrics`)).text()
      return valueOf(text, 'kennel_workers', { state: 'late' }) === 0
    })
    expect(countsOf(text, 'kennel_http_requests_total')).to.deep.equal({ 'GET /v1/pets 401': 20 })
    for (const worker of [1, 2]) expect(serving.log()).to.match(new RegExp(`"worker":${worker},"requestId"`))
    const memory = samplesIn(text).filter(({ name }) => name === 'process_resident_memory_bytes')
    expect(memory.map(({ labels }) => labels['worker'])).to.deep.equal(['primary', '1', '2'])
    expect(serving.log().match(/"event":"metrics"/g)).to.have.length(1)
    expect(await serving.stop()).to.equal(0)
  })
})
