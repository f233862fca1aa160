import { bindServer, type BoundServer } from '../adapters/koa/server/server.js'
import { droppedLines } from '../adapters/pino/output.js'
import type { BoundMetricsServer, Exposition } from '../adapters/prometheus/index.js'
import { ConfigurationError } from '../configuration/configuration-error.js'
import type { Settings } from '../configuration/derived.js'
import { about, plainly } from '../configuration/sentence.js'
import type { SettingName } from '../configuration/settings.js'
import { localOrigin } from '../configuration/web.js'
import type { Milliseconds } from '../domain/instant.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { ProcessParts } from './process-parts.js'

/** Metrics that can be scraped. */
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
  { metricsHost: host, metricsPort: port }: Settings,
  log: Log,
): Promise<Metering | undefined> {
  if (port === undefined) return undefined
  const { createPrometheusMetrics } = await import('../adapters/prometheus/index.js')
  const { metrics, exposition } = createPrometheusMetrics({ droppedLines })
  const server = await serveMetrics({ host, port }, exposition, log)
  return { metrics, close: () => server.close() }
}

/** Rejects with a `ConfigurationError` where the address cannot be had. */
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

/** The socket of requests, which are answered with 503 until it is told otherwise, and where it is. */
export type Listening = {
  readonly server: BoundServer
  /** Origin of the socket, such as `http://127.0.0.1:3000`. */
  readonly address: string
}

/** Rejects with Node's own error where the address cannot be had, see `listeningError`. */
export async function listen(
  { host, port, requestTimeout, keepAliveTimeout, maxConnections }: Settings,
  { log, metrics, workers }: ProcessParts,
): Promise<Listening> {
  const limits = { requestTimeout, keepAliveTimeout, maxConnections, processes: workers }
  const server = await bindServer(host, port, { ...limits, observers: { log, metrics } })
  return { server, address: localOrigin(server.host, server.port) }
}

/** Answers what has begun, and says so where the time for it was too short. */
export async function drain(server: BoundServer, grace: Milliseconds, log: Log): Promise<void> {
  const inTime = await server.drain(grace)
  if (!inTime) log.warn('stopped before every request was answered: SHUTDOWN_GRACE was too short')
}

const HAS_NO_SUCH_ADDRESS: readonly unknown[] = ['EADDRNOTAVAIL', 'ENOTFOUND']

/** Why an address cannot be listened at, by the settings that name it; `undefined` for any other error. */
export function listeningError(
  error: unknown,
  { host, port }: { readonly host: SettingName; readonly port: SettingName },
): ConfigurationError | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const both = (what: string) =>
    new ConfigurationError([plainly((nameOf) => `${nameOf(host)} and ${nameOf(port)}: ${what}`)])
  if (code === 'EADDRINUSE') return both('this address is in use by another process')
  if (code === 'EACCES') return both('no permission to listen at this address')
  return HAS_NO_SUCH_ADDRESS.includes(code)
    ? new ConfigurationError([about(host, ': this machine does not have that address')])
    : undefined
}
