import { expect } from 'chai'
import { countsOf, samplesIn, valueOf } from '../support/metric-samples.js'
import { type Serving, workplaceOfTests } from './app.js'
import { metricsOf, onLinuxOnly, pidOf, until } from './workers.js'

const TWO = { WORKERS: '2', METRICS_PORT: '0' }
const REQUESTS = 'kennel_http_requests_total'

/** Sends requests on new connections, so that both workers get some. */
async function ask({ origin }: Serving, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await fetch(`${origin}/v1/pets`, { headers: { 'X-API-Key': 'unknown', Connection: 'close' } })
}

describe('the metrics of app serve with two workers', () => {
  const place = workplaceOfTests()

  onLinuxOnly()

  const open = async () => {
    const serving = await place.serve(TWO)
    const scrape = async () => await (await fetch(`${metricsOf(serving)}/metrics`)).text()
    /** Scrapes until every worker has responded in time. */
    const scrapeAll = async () => {
      for (;;) {
        const text = await scrape()
        if (valueOf(text, 'kennel_workers', { state: 'late' }) === 0) return text
      }
    }
    const restarted = async (number: number) => {
      const pid = pidOf(serving, number)
      process.kill(pid, 'SIGKILL')
      await until(() => pidOf(serving, number) !== pid)
    }
    return { serving, scrape, scrapeAll, restarted }
  }

  it('include the requests of all workers on a single port', async () => {
    const { serving, scrapeAll } = await open()
    await ask(serving, 20)
    const text = await scrapeAll()
    expect(countsOf(text, REQUESTS)).to.deep.equal({ 'GET /v1/pets 401': 20 })
    expect(valueOf(text, 'kennel_http_request_duration_seconds_count', { route: '/v1/pets' })).to.equal(20)
    for (const worker of [1, 2]) expect(serving.log()).to.match(new RegExp(`"worker":${worker},"requestId"`))
    const memory = samplesIn(text).filter(({ name }) => name === 'process_resident_memory_bytes')
    expect(memory.map(({ labels }) => labels['worker'])).to.deep.equal(['primary', '1', '2'])
    expect(serving.log().match(/"event":"metrics"/g)).to.have.length(1)
    expect(await serving.stop()).to.equal(0)
  })
})
