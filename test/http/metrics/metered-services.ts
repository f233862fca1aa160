import { createPrometheusMetrics } from '../../../src/adapters/prometheus/index.js'
import { countsOf } from '../../support/metric-samples.js'
import { servicesOfTests } from '../../support/http/services.js'
import type { TestOptions, TestService } from '../../support/http/service.js'

export type MeteredService = TestService & {
  /** The exposition of now. */
  readonly text: () => Promise<string>
  /** Those of one metric that are not 0, by their labels. */
  readonly counts: (name: string) => Promise<Readonly<Record<string, number>>>
}

/** Sessions are stored, whatever the run is for. */
const WITH_SESSIONS = { mode: 'stateful' } as const

/** Only tokens, whose revocations are asked for. */
export const STATELESS_MODE = { mode: 'stateless-revocable' } as const

/** Starts services that tell a Prometheus of their own. Call it in a `describe`. */
export function meteredServices(): (options?: TestOptions) => Promise<MeteredService> {
  const serve = servicesOfTests()
  return async (options) => {
    const { metrics, exposition } = createPrometheusMetrics()
    const service = await serve({ ...WITH_SESSIONS, ...options, metrics })
    const text = async () => (await exposition()).text
    return { ...service, text, counts: async (name) => countsOf(await text(), name) }
  }
}
