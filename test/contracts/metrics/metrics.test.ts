import { createPrometheusMetrics } from '../../../src/adapters/prometheus/index.js'
import { metricsLaws } from '../../../src/contracts/index.js'
import type { MetricsUnderTest } from '../../../src/contracts/metrics/metrics.js'
import type { Metrics } from '../../../src/ports/metrics.js'
import { recordingMetrics } from '../../support/recording-metrics.js'
import { describePartLaws, type BrokenPart } from '../describe-laws.js'

const openPrometheus = (): MetricsUnderTest => {
  const { metrics, exposition } = createPrometheusMetrics()
  const ours = (text: string) => text.split('\n').filter((line) => !/^(# \w+ )?(process|nodejs)_/.test(line))
  return { metrics, shown: async () => ours((await exposition()).text).join('\n') }
}

const changed = (
  name: string,
  breaks: RegExp,
  change: (sound: Metrics) => Partial<Metrics>,
): BrokenPart<MetricsUnderTest> => ({
  name,
  breaks,
  open() {
    const sound = openPrometheus()
    return { ...sound, metrics: { ...sound.metrics, ...change(sound.metrics) } }
  },
})

const counting = (
  name: string,
  breaks: RegExp,
  labelOf: (request: Parameters<Metrics['requestAnswered']>[0]) => string,
): BrokenPart<MetricsUnderTest> => ({
  name,
  breaks,
  open() {
    const sound = openPrometheus()
    const counts = new Map<string, number>()
    const lines = () => Array.from(counts, ([label, count]) => `requests ${label} ${count}`)
    return {
      shown: async () => [await sound.shown(), ...lines()].join('\n'),
      metrics: {
        ...sound.metrics,
        requestAnswered(request) {
          const label = labelOf(request)
          counts.set(label, (counts.get(label) ?? 0) + 1)
        },
      },
    }
  },
})

const broken: readonly BrokenPart<MetricsUnderTest>[] = [
  changed('a call returns a promise', /no call throws,/, () => ({
    requestAnswered: () => Promise.resolve() as never,
  })),
  counting('the duration is a label', /repeated calls/, ({ duration }) => String(duration)),
  counting(
    'every route has a separate label',
    /a line break|the number of|invalid statuses/,
    ({ route }) => route,
  ),
]

describePartLaws('metrics', {
  laws: metricsLaws,
  sound: {
    'the metrics for Prometheus': openPrometheus,
    'silent metrics': () => ({ metrics: recordingMetrics().metrics, shown: async () => '' }),
  },
  broken,
})
