import { expect } from 'chai'
import { fake } from 'sinon'
import { createCollectedMetrics } from '../../../src/adapters/prometheus/prometheus-metrics.js'
import {
  createWorkersMetrics,
  type CollectNumbers,
} from '../../../src/adapters/prometheus/workers-metrics.js'
import { countsOf, samplesIn, valueOf } from '../../support/metric-samples.js'

const GET = { method: 'GET', route: '/v1/pets', status: 200, duration: 1 } as const
const REQUESTS = 'kennel_http_requests_total'
/** Longer than any reply takes in a test, but short enough to wait for a reply that never arrives. */
const TIMEOUT = 100

/** Returns the value as another process would receive it. */
const acrossProcesses = <Value>(value: Value) => JSON.parse(JSON.stringify(value)) as Value

/** A worker in this process that has handled some requests. */
function worker(count = 0) {
  const { metrics, collect } = createCollectedMetrics()
  const answer = (more: number) => {
    for (let n = 0; n < more; n += 1) metrics.requestAnswered(GET)
  }
  answer(count)
  const asked: boolean[] = []
  const answering: CollectNumbers = async (options) => {
    asked.push(options.ofProcess)
    return acrossProcesses(await collect(options))
  }
  return { metrics, answer, collect: answering, asked }
}

describe('metrics of several worker processes', () => {
  const open = (wanted = 2) => {
    const own = createCollectedMetrics()
    const { exposition, ...workers } = createWorkersMetrics({ wanted, own, timeout: TIMEOUT })
    return { ...workers, own, text: async () => (await exposition()).text }
  }
  const requestsIn = (text: string) => valueOf(text, REQUESTS, { status: '200' })

  it('sum the counts of all workers and the primary, including all series of a histogram', async () => {
    const { begun, own, text } = open()
    const [one, two] = [worker(3), worker(4)]
    begun(1, one.collect)
    begun(2, two.collect)
    two.metrics.requestAnswered({ ...GET, method: 'PUT', status: 'aborted', duration: 700 })
    one.metrics.hashesWaiting(5)
    two.metrics.hashesWaiting(7)
    own.metrics.sessionsEnded('expired', 9)
    const all = await text()
    expect(countsOf(all, REQUESTS)).to.deep.equal({ 'GET /v1/pets 200': 7, 'PUT /v1/pets aborted': 1 })
    const times = 'kennel_http_request_duration_seconds'
    expect(valueOf(all, `${times}_bucket`, { method: 'GET', le: '0.001' })).to.equal(7)
    expect(valueOf(all, `${times}_bucket`, { method: 'PUT', le: '0.5' })).to.equal(0)
    expect(valueOf(all, `${times}_bucket`, { method: 'PUT', le: '+Inf' })).to.equal(1)
    expect(valueOf(all, `${times}_sum`, { method: 'GET' })).to.be.closeTo(0.007, 1e-9)
    expect(valueOf(all, `${times}_count`, { method: 'GET' })).to.equal(7)
    expect(valueOf(all, 'kennel_password_hashes_waiting')).to.equal(12)
    expect(countsOf(all, 'kennel_sessions_ended_total')).to.deep.equal({ expired: 9 })
    expect(Object.values(countsOf(all, 'kennel_build_info'))).to.deep.equal([1])
  })

  it('label the CPU, memory and event loop of each process with the worker number', async () => {
    const { begun, text } = open()
    begun(1, worker().collect)
    begun(2, worker().collect)
    const samples = samplesIn(await text())
    for (const name of [
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_p99_seconds',
    ]) {
      const found = samples.filter((one) => one.name === name)
      expect(found.map(({ labels }) => labels['worker'])).to.deep.equal(['primary', '1', '2'])
      for (const { value } of found) expect(value, name).to.be.greaterThanOrEqual(0)
    }
    expect(samples.filter(({ name }) => name === 'nodejs_version_info')).to.have.length(1)
  })

  it('never decrease, because the counts of an ended worker are retained and its successor adds to them', async () => {
    const { begun, text } = open()
    const [one, two, next] = [worker(3), worker(4), worker(10)]
    const end = begun(1, one.collect)
    begun(2, two.collect)
    one.metrics.hashesWaiting(5)
    const before = await text()
    const cpu = (all: string) => valueOf(all, 'process_cpu_seconds_total', { worker: '1' }) ?? 0
    end()
    end()
    const between = await text()
    expect(requestsIn(between)).to.equal(7)
    expect(cpu(between)).to.equal(cpu(before))
    expect(valueOf(between, 'kennel_password_hashes_waiting')).to.equal(0)
    expect(valueOf(between, 'process_resident_memory_bytes', { worker: '1' })).to.equal(undefined)
    begun(1, next.collect)
    const after = await text()
    expect(requestsIn(after)).to.equal(17)
    expect(cpu(after)).to.be.greaterThan(cpu(before))
  })

  it('include the last known counts of a worker that ended before any scrape', async () => {
    const { begun, refresh, text } = open()
    const one = worker(3)
    const end = begun(1, one.collect)
    await refresh()
    one.answer(1)
    end()
    expect(requestsIn(await text())).to.equal(3)
    expect(one.asked).to.deep.equal([false])
  })

  it('count no request twice when a hundred workers replace one another, with scrapes at any time', async () => {
    const { begun, text } = open()
    const scrapes: Promise<string>[] = []
    for (let n = 1; n <= 100; n += 1) {
      const one = worker(1)
      const end = begun(1, one.collect)
      const scrape = text()
      scrapes.push(scrape)
      if (n % 3 === 0) await scrape
      else await one.collect({ ofProcess: false })
      if (n % 2 === 0) await scrape
      end()
    }
    const seen = (await Promise.all(scrapes)).map((all) => requestsIn(all) ?? 0)
    expect(Math.max(...seen)).to.be.at.most(100)
    const last = await text()
    expect(requestsIn(last)).to.be.within(Math.max(...seen), 100)
    expect(countsOf(last, 'kennel_worker_restarts_total')).to.deep.equal({ 1: 99 })
  })

  it('retain the last values of a worker that does not respond before the timeout', async () => {
    const { begun, text } = open()
    const [one, two] = [worker(3), worker(4)]
    let answering: CollectNumbers = one.collect
    begun(1, (options) => answering(options))
    begun(2, two.collect)
    expect(requestsIn(await text())).to.equal(7)
    const frozen = fake(() => new Promise<never>(() => undefined))
    answering = frozen
    two.answer(1)
    expect(requestsIn(await text())).to.equal(8)
    // An unanswered request is not repeated, so that requests do not accumulate for a frozen process.
    await text()
    expect(frozen.callCount).to.equal(1)
  })

  it("never use a worker's reply to an earlier scrape", async () => {
    const { begun, text } = open(1)
    const one = worker()
    let answer: () => void = () => undefined
    const waits = [new Promise<void>((resolve) => (answer = resolve))]
    begun(1, async (options) => {
      const numbers = await one.collect(options)
      await waits.pop()
      return numbers
    })
    const early = text()
    await new Promise(setImmediate)
    one.answer(3)
    const late = text()
    answer()
    expect([requestsIn(await early), requestsIn(await late)]).to.deep.equal([undefined, 3])
  })

  it('retain the last values of an unreachable worker, which is reported as late and queried again', async () => {
    const { begun, text } = open(1)
    const one = worker(3)
    const collect: CollectNumbers[] = [one.collect, () => Promise.reject(new Error('gone')), one.collect]
    begun(1, (options) => collect.shift()!(options))
    expect(requestsIn(await text())).to.equal(3)
    one.answer(1)
    const late = await text()
    expect(requestsIn(late)).to.equal(3)
    expect(countsOf(late, 'kennel_workers')).to.deep.equal({ wanted: 1, alive: 1, late: 1 })
    expect(requestsIn(await text())).to.equal(4)
  })

  it('report the numbers of configured, live and restarted workers, starting at 0', async () => {
    const { begun, text } = open(3)
    const workers = async () => {
      const all = await text()
      const state = (name: string) => valueOf(all, 'kennel_workers', { state: name })
      const restarts = samplesIn(all).filter(({ name }) => name === 'kennel_worker_restarts_total')
      return [state('wanted'), state('alive'), ...restarts.map(({ value }) => value)]
    }
    expect(await workers()).to.deep.equal([3, 0, 0, 0, 0])
    const end = begun(2, worker().collect)
    expect(await workers()).to.deep.equal([3, 1, 0, 0, 0])
    end()
    expect(await workers()).to.deep.equal([3, 0, 0, 0, 0])
    begun(2, worker().collect)
    expect(await workers()).to.deep.equal([3, 1, 0, 1, 0])
  })
})
