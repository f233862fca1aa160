import { expect } from 'chai'
import { Gauge, Histogram, Registry } from 'prom-client'
import type { MetricNumbers } from '../../../src/adapters/prometheus/process-numbers.js'
import { numbersIn } from '../../../src/adapters/prometheus/registries.js'

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
