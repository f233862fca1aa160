import { Counter, Gauge, Histogram, type Registry, AggregatorRegistry } from 'prom-client'
import type { ConnectionEnding, RefreshOutcome, SessionEnding, UseCaseOutcome } from '../../ports/metrics.js'
import { VERSION } from '../../domain/version.js'
import { STORE_PORTS } from '../../ports/calls/store.js'
import type { MetricNumbers } from './process-numbers.js'

/** The compiler reports an error if a label value is missing. */
type Every<Label extends string> = Readonly<Record<Label, true>>

const REFRESHES: Every<RefreshOutcome> = {
  rotated: true,
  superseded: true,
  replayed: true,
  mismatched: true,
  unknown: true,
  renewed: true,
}
const ENDINGS: Every<SessionEnding> = { ended: true, revoked: true, replayed: true, expired: true }
const CLOSINGS: Every<ConnectionEnding> = { refused: true, stalled: true, flooding: true }
const LOGINS: readonly UseCaseOutcome[] = [
  ...(['success', 'malformed', 'login-failed', 'second-factor-required', 'invalid-token'] as const),
  ...(['unauthenticated', 'too-many-attempts', 'overloaded', 'unavailable', 'fault'] as const),
]

// Histogram buckets in seconds. A request takes at least about a millisecond and at most the time of several password hashes; a store call
// can be much faster.
const REQUEST = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const HASH = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const STORE = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

const LOG_DROPPED =
  'Log lines that were dropped because the reader of the log had stalled or exited, or because the disk was full.'
const AUDIT_DROPPED = 'Dropped log lines that were audit records.'

/** The metrics of a process. The time series that alerts use start at 0. */
export type Instruments = ReturnType<typeof createInstruments>

/** `droppedLines` returns the counts of the log lines that this process has dropped. */
export function createInstruments(
  registry: Registry,
  droppedLines: () => { readonly lines: number; readonly audit: number },
) {
  const registers = [registry]
  new Gauge({
    name: 'kennel_build_info',
    help: 'Always 1; its label is the Kennel version.',
    labelNames: ['version'],
    // Uses the aggregator `first`, because the sum over several processes would not be 1.
    aggregator: 'first',
    registers,
  }).set({ version: VERSION }, 1)
  const makers = makersFor(registers)
  makers.read('kennel_log_lines_dropped_total', LOG_DROPPED, () => droppedLines().lines)
  makers.read('kennel_audit_lines_dropped_total', AUDIT_DROPPED, () => droppedLines().audit)
  const instruments = { ...ofRequests(makers), ...ofIdentity(makers), ...ofHashes(makers) }
  const help = 'Duration of store calls, by port and outcome (ok, unavailable, fault).'
  const storeCalls = makers.times('kennel_store_call_duration_seconds', help, STORE, 'port', 'outcome')
  for (const port of STORE_PORTS) storeCalls.zero({ port, outcome: 'unavailable' })
  return { ...instruments, storeCalls }
}

type Makers = ReturnType<typeof makersFor>

function makersFor(registers: Registry[]) {
  return {
    counter: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers }),
    times: <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
      new Histogram({ name, help, buckets, labelNames, registers }),
    /** Defines a counter whose value is read at each scrape. */
    read: (name: string, help: string, value: () => number) =>
      new Counter({
        ...{ name, help, registers },
        collect() {
          this.reset()
          this.inc(value())
        },
      }),
    gauge: (name: string, help: string) => new Gauge({ name, help, registers }),
  }
}

function ofRequests({ counter, times }: Makers) {
  const connectionsClosed = counter(
    'kennel_connections_closed_total',
    'Connections that the server closed because of a limit or a timeout, by reason.',
    'ending',
  )
  for (const ending of Object.keys(CLOSINGS)) connectionsClosed.inc({ ending }, 0)
  return {
    connectionsClosed,
    requests: counter(
      'kennel_http_requests_total',
      'Finished requests, by method, route pattern and status.',
      ...(['method', 'route', 'status'] as const),
    ),
    requestTimes: times(
      'kennel_http_request_duration_seconds',
      'Time from the arrival of the request headers to the end of the response.',
      REQUEST,
      ...(['method', 'route'] as const),
    ),
  }
}

function ofIdentity({ counter }: Makers) {
  const loginsHelp = 'Login attempts, by outcome: success, the error code of the refusal, or fault.'
  const refreshesHelp = 'Valid refresh tokens that were presented, by outcome.'
  const endedHelp = 'Sessions that ended, by reason.'
  const logins = counter('kennel_logins_total', loginsHelp, 'outcome')
  const refreshes = counter('kennel_refreshes_total', refreshesHelp, 'outcome')
  const sessionsOpened = counter('kennel_sessions_opened_total', 'Sessions that were opened.')
  const sessionsEnded = counter('kennel_sessions_ended_total', endedHelp, 'ending')
  for (const outcome of LOGINS) logins.inc({ outcome }, 0)
  for (const outcome of Object.keys(REFRESHES)) refreshes.inc({ outcome }, 0)
  for (const ending of Object.keys(ENDINGS)) sessionsEnded.inc({ ending }, 0)
  return { logins, refreshes, sessionsOpened, sessionsEnded }
}

function ofHashes({ counter, times, gauge }: Makers) {
  const waitsHelp = 'Time that a password hash waited in the queue.'
  return {
    hashesWaiting: gauge('kennel_password_hashes_waiting', 'Password hashes that are waiting in the queue.'),
    hashWaits: times('kennel_password_hash_wait_seconds', waitsHelp, [0.001, ...HASH]),
    hashTimes: times('kennel_password_hash_duration_seconds', 'Time taken to compute a password hash.', HASH),
    hashesRefused: counter(
      'kennel_password_hashes_refused_total',
      'Password hashes that were not computed because too many were waiting.',
    ),
  }
}

/**
 * Returns all metrics of a registry as plain data. JSON cannot represent NaN, such as the mean of no values, so NaN values are omitted.
 */
export async function numbersIn(registry: Registry): Promise<MetricNumbers[]> {
  const metrics = await registry.getMetricsAsJSON()
  return metrics.map(({ name, help, type, aggregator, values }) => ({
    name,
    help,
    // The declared type is a number, but the value is a string at run time.
    type: String(type),
    aggregator,
    values: values.filter(({ value }) => Number.isFinite(value)),
  }))
}

export function aggregateMetrics(all: readonly (readonly MetricNumbers[])[]): Registry {
  return AggregatorRegistry.aggregate([...all])
}

/** Returns the exposition: first the metrics of the service, then the metrics of its processes. */
export async function expositionOf(
  service: Registry,
  ofProcess: Registry,
): Promise<{ readonly contentType: string; readonly text: string }> {
  const text = `${await service.metrics()}\n${await ofProcess.metrics()}`
  return { contentType: service.contentType, text }
}
