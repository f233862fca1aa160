import { meterStore } from '../application/metering/meter-store.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { Store } from '../ports/store.js'
import type { Configuration } from '../configuration/configuration.js'
import { localOrigin } from '../configuration/web.js'
import { listeningError } from './listening-error.js'

/** Metrics that somebody can scrape. */
export type Metering = {
  readonly metrics: Metrics
  /** Ends at once. */
  close(): Promise<void>
}

/**
 * Serves metrics on a port of their own, and says where; `undefined` where no port is set for them, and
 * then nothing of it is even loaded. Rejects with a `ConfigurationError` where the port cannot be had.
 */
export async function startMetering(
  { metrics: wanted }: Configuration,
  log: Log,
): Promise<Metering | undefined> {
  if (!wanted) return undefined
  const { bindMetricsServer, createPrometheusMetrics } = await import('../adapters/prometheus/index.js')
  const { metrics, exposition } = createPrometheusMetrics()
  try {
    const server = await bindMetricsServer(wanted.host, wanted.port, exposition)
    log.info('metrics', { address: localOrigin(server.host, server.port) })
    return { metrics, close: () => server.close() }
  } catch (error) {
    throw listeningError(error, { host: 'metricsHost', port: 'metricsPort' }) ?? error
  }
}

/** The store itself where nobody counts. */
export function meteredStore(store: Store, metrics: Metrics | undefined): Store {
  return metrics ? meterStore(store, metrics, () => performance.now()) : store
}
