import { bindServer, type BoundServer } from '../adapters/koa/server/server.js'
import { droppedLines } from '../adapters/pino/dropped-lines.js'
import type { BoundMetricsServer, Exposition } from '../adapters/prometheus/index.js'
import type { Settings } from '../configuration/derived.js'
import { localOrigin } from '../configuration/web.js'
import type { Milliseconds } from '../domain/instant.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { ProcessParts } from './process-parts.js'
import { listeningError } from './start-error.js'

/** Metrics, and the server that exposes them. */
export type Metering = {
  readonly metrics: Metrics
  /** Closes the server immediately. */
  close(): Promise<void>
}

/**
 * Serves the metrics on the configured port, and logs the address. If no metrics port is set, loads nothing and resolves with `undefined`.
 * Rejects with a `ConfigurationError` if the address is not available.
 */
export async function startMetering(
  { metricsHost: host, metricsPort: port }: Settings,
  log: Log,
): Promise<Metering | undefined> {
  if (port === undefined) return undefined
  const { createPrometheusMetrics } = await import('../adapters/prometheus/index.js')
  const { metrics, exposition } = createPrometheusMetrics({ droppedLines })
  const server = await serveMetrics({ host, port }, exposition, log)
  return { metrics, close: () => server.close() }
}

/** Rejects with a `ConfigurationError` if the address is not available. */
export async function serveMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  exposition: Exposition,
  log: Log,
): Promise<BoundMetricsServer> {
  const { bindMetricsServer } = await import('../adapters/prometheus/index.js')
  try {
    const server = await bindMetricsServer(host, port, exposition)
    log.info('metrics', { address: localOrigin(server.host, server.port) })
    return server
  } catch (error) {
    throw listeningError(error, { host: 'metricsHost', port: 'metricsPort' }) ?? error
  }
}

/** Opens the service's socket. The socket responds with 503 until `server.serve` is called. */
export type ListeningServer = {
  readonly server: BoundServer
  /** The origin of the socket, such as `http://127.0.0.1:3000`. */
  readonly address: string
}

/** Rejects with Node's error if the address is not available; see `listeningError`. */
export async function listen(
  { host, port, requestTimeout, keepAliveTimeout, maxConnections }: Settings,
  { log, metrics, workers }: ProcessParts,
): Promise<ListeningServer> {
  const limits = { requestTimeout, keepAliveTimeout, maxConnections, processes: workers }
  const server = await bindServer(host, port, { ...limits, observers: { log, metrics } })
  return { server, address: localOrigin(server.host, server.port) }
}

/** Completes the running requests, and logs a warning if the grace period was too short. */
export async function drain(server: BoundServer, grace: Milliseconds, log: Log): Promise<void> {
  const inTime = await server.drain(grace)
  if (!inTime) log.warn('stopped before all requests were answered: SHUTDOWN_GRACE was too short')
}
