import { expect } from 'chai'
import { register, Gauge, Histogram, Registry } from 'prom-client'
import { createPrometheusMetrics } from '../../../src/adapters/prometheus/index.js'
import { countsOf, samplesIn, valueOf } from '../../support/metric-samples.js'
import type { MetricNumbers } from '../../../src/adapters/prometheus/process-numbers.js'
import { numbersIn } from '../../../src/adapters/prometheus/instruments.js'

/** The label values of each metric that alerts use. */
const FROM_0: Readonly<Record<string, string>> = {
  kennel_logins_total:
    'success malformed login-failed second-factor-required invalid-token unauthenticated too-many-attempts overloaded unavailable fault',
  kennel_refreshes_total: 'rotated superseded replayed mismatched unknown renewed',
  kennel_sessions_ended_total: 'ended revoked replayed expired',
  kennel_connections_closed_total: 'refused stalled flooding',
  kennel_sessions_opened_total: '',
  kennel_password_hashes_refused_total: '',
  kennel_password_hashes_waiting: '',
}

const GET = { method: 'GET', route: '/api/pets/:petId', status: 200, duration: 1 } as const

describe('metrics for Prometheus', () => {
  it('start at 0 for every series used in an alert, so that the first event counts as an increase', async () => {
    const { text } = await createPrometheusMetrics().exposition()
    for (const [name, values] of Object.entries(FROM_0)) {
      const series = samplesIn(text).filter((one) => one.name === name)
      const shown = series.map(({ labels, value }) => [Object.values(labels).join(), value])
      expect(shown, name).to.deep.equal(values.split(' ').map((one) => [one, 0]))
    }
    for (const port of ['accounts', 'sessions', 'audit', 'mailQueue', 'copyableRecords']) {
      const labels = { port, outcome: 'unavailable' }
      expect(valueOf(text, 'kennel_store_call_duration_seconds_count', labels), port).to.equal(0)
    }
  })

  it('include the number of lines that the log has dropped', async () => {
    let dropped = { lines: 0, audit: 0 }
    const { exposition } = createPrometheusMetrics({ droppedLines: () => dropped })
    const counts = async () => {
      const { text } = await exposition()
      return ['log', 'audit'].map((name) => valueOf(text, `kennel_${name}_lines_dropped_total`))
    }
    expect(await counts()).to.deep.equal([0, 0])
    dropped = { lines: 7, audit: 2 }
    for (const _ of ['once', 'twice']) expect(await counts()).to.deep.equal([7, 2])
  })

  it('report the recorded events, with times in seconds', async () => {
    const { metrics, exposition } = createPrometheusMetrics()
    metrics.requestAnswered({ ...GET, duration: 40 })
    metrics.requestAnswered({ ...GET, status: 'aborted', duration: 200 })
    metrics.connectionClosed('stalled')
    metrics.loginTried('login-failed')
    metrics.refreshTried('superseded')
    metrics.sessionOpened()
    metrics.sessionsEnded('revoked', 3)
    metrics.hashesWaiting(7)
    metrics.hashesWaiting(5)
    metrics.hashComputed({ waited: 30, took: 300 })
    metrics.hashRefused()
    metrics.storeCalled('sessions', 'ok', 0.2)
    const { text } = await exposition()
    const { method, route } = GET
    const request = { method, route }
    const sessions = { port: 'sessions', outcome: 'ok' }
    for (const [name, labels, value] of [
      ['kennel_http_requests_total', { ...request, status: '200' }, 1],
      ['kennel_http_requests_total', { ...request, status: 'aborted' }, 1],
      ['kennel_http_request_duration_seconds_sum', request, 0.24],
      ['kennel_http_request_duration_seconds_bucket', { ...request, le: '0.025' }, 0],
      ['kennel_http_request_duration_seconds_bucket', { ...request, le: '0.05' }, 1],
      ['kennel_http_request_duration_seconds_bucket', { ...request, le: '+Inf' }, 2],
      ['kennel_connections_closed_total', { ending: 'stalled' }, 1],
      ['kennel_logins_total', { outcome: 'login-failed' }, 1],
      ['kennel_refreshes_total', { outcome: 'superseded' }, 1],
      ['kennel_sessions_ended_total', { ending: 'revoked' }, 3],
      ['kennel_sessions_opened_total', {}, 1],
      ['kennel_password_hashes_waiting', {}, 5],
      ['kennel_password_hash_wait_seconds_sum', {}, 0.03],
      ['kennel_password_hash_duration_seconds_sum', {}, 0.3],
      ['kennel_password_hashes_refused_total', {}, 1],
      ['kennel_store_call_duration_seconds_sum', sessions, 0.0002],
      ['kennel_store_call_duration_seconds_count', sessions, 1],
    ] as const)
      expect(valueOf(text, name, labels), name).to.be.closeTo(value, 1e-9)
  })

  it('count every route after the first 200 as "other"', async () => {
    const { metrics, exposition } = createPrometheusMetrics()
    const tell = (from: number, to: number) => {
      for (let id = from; id < to; id += 1) metrics.requestAnswered({ ...GET, route: `/api/pets/${id}` })
    }
    tell(0, 201)
    const before = await exposition()
    tell(201, 1_000_000)
    const after = await exposition()
    const series = (text: string) => samplesIn(text).filter(({ name }) => name.startsWith('kennel_')).length
    expect(series(after.text)).to.equal(series(before.text))
    const other = { method: 'GET', route: 'other', status: '200' }
    expect(valueOf(after.text, 'kennel_http_requests_total', other)).to.equal(999_800)
  })

  it('are separate for each service in a process, and do not use the global registry', async () => {
    const [one, other] = [createPrometheusMetrics(), createPrometheusMetrics()]
    one.metrics.loginTried('success')
    const [texts, others] = [await one.exposition(), await other.exposition()]
    expect(countsOf(texts.text, 'kennel_logins_total')).to.deep.equal({ success: 1 })
    expect(countsOf(others.text, 'kennel_logins_total')).to.deep.equal({})
    expect(register.getMetricsAsArray()).to.deep.equal([])
  })
})

describe('the metrics of a process', () => {
  it('survive JSON serialization, except NaN and infinite values, which are omitted', async () => {
    const registers = [new Registry()]
    const lag = new Gauge({ name: 'lag', help: 'Lag.', labelNames: ['of'], registers })
    lag.set({ of: 'nothing' }, Number.NaN)
    lag.set({ of: 'everything' }, Infinity)
    lag.set({ of: 'something' }, 0.5)
    new Histogram({ name: 'times', help: 'Times.', buckets: [1], registers }).observe(2)
    const numbers = JSON.parse(JSON.stringify(await numbersIn(registers[0]!))) as MetricNumbers[]
    const told = numbers.flatMap(({ name, type, values }) =>
      values.map((one) => [one.metricName ?? name, type, one.labels, one.value]),
    )
    expect(told).to.deep.equal([
      ['lag', 'gauge', { of: 'something' }, 0.5],
      ['times_bucket', 'histogram', { le: 1 }, 0],
      ['times_bucket', 'histogram', { le: '+Inf' }, 1],
      ['times_sum', 'histogram', {}, 2],
      ['times_count', 'histogram', {}, 1],
    ])
  })
})
