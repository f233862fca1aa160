import type { AuditLinesLog } from '../adapters/pino/audit-lines.js'
import { systemClock } from '../adapters/system/index.js'
import { logCreated, meteredStore, openStore } from '../composition-root/open-parts.js'
import type { Mail } from '../composition-root/service.js'
import type { Settings } from '../configuration/derived.js'
import type { Milliseconds } from '../domain/instant.js'
import type { Metrics } from '../ports/metrics.js'
import type { PartialStore } from '../ports/store.js'
import { bindServer, type BoundServer } from '../adapters/koa/server/server.js'
import { droppedLines } from '../adapters/pino/dropped-lines.js'
import type { BoundMetricsServer, Exposition } from '../adapters/prometheus/index.js'
import { localOrigin } from '../configuration/web.js'
import type { Log } from '../ports/log.js'
import { listeningError } from './start-error.js'

/** The parts of each process of the service, and the number of processes that share the machine and the limits. */
export type ProcessParts = {
  readonly log: AuditLinesLog
  readonly metrics: Metrics | undefined
  readonly workers: number
}

/** The parts that are available once the store is open. */
export type OpenParts = {
  readonly store: PartialStore
  readonly publicUrl: string
  readonly passphrase: string
  /** Present if this process sends emails. */
  readonly mail: Mail | undefined
  readonly onMailQueued: () => void
  readonly isStopping: () => boolean
}

/** How long the service waits for an unreachable store at startup. */
const START_TIMEOUT: Milliseconds = 30_000

/**
 * Opens the store, and may wait until it is reachable. The primary process upgrades the store, and records that the service uses it. With
 * `create: false`, the database file must already exist.
 */
export async function openServiceStore(
  settings: Settings,
  { log, metrics, workers }: ProcessParts,
  { create, isPrimary }: { readonly create: boolean; readonly isPrimary: boolean },
): Promise<PartialStore> {
  const store = await openStore(settings, {
    log,
    create,
    // If the package's files are replaced while the primary runs, a replacement worker runs the newer release.
    upgrade: isPrimary,
    ...(isPrimary && { serving: { clock: systemClock, log } }),
    onCreated: logCreated(log),
    startTimeout: START_TIMEOUT,
    onWait: (detail) => log.warn('waiting for the store', { detail }),
    workers,
  })
  return meteredStore(store, metrics)
}

export type Metering = {
  readonly metrics: Metrics
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

export async function drain(server: BoundServer, grace: Milliseconds, log: Log): Promise<void> {
  const inTime = await server.drain(grace)
  if (!inTime) log.warn('stopped before all requests were answered: SHUTDOWN_GRACE was too short')
}
