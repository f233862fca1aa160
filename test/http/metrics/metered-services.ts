import { createPrometheusMetrics } from '../../../src/adapters/prometheus/index.js'
import { countsOf } from '../../support/metric-samples.js'
import { servicesOfTests } from '../../support/http/services.js'
import type { TestOptions, TestService } from '../../support/http/service.js'

export type MeteredService = TestService & {
  readonly text: () => Promise<string>
  /** Returns the nonzero samples of one metric, keyed by their labels. */
  readonly counts: (name: string) => Promise<Readonly<Record<string, number>>>
}

/** Stores sessions, even if the test run is stateless. */
const WITH_SESSIONS = { mode: 'stateful' } as const

/** Starts services with separate Prometheus metrics. Must be called in a `describe`. */
export function meteredServices(): (options?: TestOptions) => Promise<MeteredService> {
  const serve = servicesOfTests()
  return async (options) => {
    const { metrics, exposition } = createPrometheusMetrics()
    const service = await serve({ ...WITH_SESSIONS, ...options, metrics })
    const text = async () => (await exposition()).text
    return { ...service, text, counts: async (name) => countsOf(await text(), name) }
  }
}
