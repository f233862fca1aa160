import { collectDefaultMetrics, type Counter, type Histogram, Registry } from 'prom-client'
import type { Milliseconds } from '../../domain/instant.js'
import type { CompletedRequest, Metrics, StoreOutcome } from '../../ports/metrics.js'
import type { StorePort } from '../../ports/store.js'
import { createInstruments, type Instruments, expositionOf, numbersIn } from './instruments.js'
import type { ProcessNumbers } from './process-numbers.js'

/** Counts of dropped log lines; `lines` includes the audit records. */
type DroppedLines = () => { readonly lines: number; readonly audit: number }

/** Returns the current metrics in the Prometheus text format. */
export type Exposition = () => Promise<{ readonly contentType: string; readonly text: string }>

/** The metrics that Kennel records, and the exposition that a scraper reads. */
export type PrometheusMetrics = { readonly metrics: Metrics; readonly exposition: Exposition }

/** The metrics of this process, for another process that collects and exposes them. */
export type CollectedMetrics = {
  readonly metrics: Metrics
  /**
   * Returns the current values. Without `ofProcess`, a call costs less than half as much and does not interrupt the measurement of the
   * event loop delay, which prom-client restarts at each collection.
   */
  readonly collect: (options: { readonly ofProcess: boolean }) => Promise<ProcessNumbers>
}

type MetricsOptions = {
  /** Returns the counts of the log lines that this process has dropped; each count is 0 by default. */
  readonly droppedLines?: DroppedLines
}

/** Maximum number of routes; Kennel has fewer than 30. */
const ROUTES_MAX = 200

/**
 * Creates Prometheus metrics in a separate registry, so several instances in one process share only the metrics of the process (CPU,
 * memory, event loop). At most 200 routes are distinguished; further routes have the label `other`.
 */
export function createPrometheusMetrics(options?: MetricsOptions): PrometheusMetrics {
  const { metrics, flush, registry } = createProcessMetrics(options)
  const ofProcess = processMetrics()
  return {
    metrics,
    exposition: async () => {
      flush()
      return await expositionOf(registry, ofProcess)
    },
  }
}

/** Creates metrics that another process collects and exposes. */
export function createCollectedMetrics(options?: MetricsOptions): CollectedMetrics {
  const { metrics, flush, registry } = createProcessMetrics(options)
  const registryOfProcess = processMetrics()
  return {
    metrics,
    collect: async ({ ofProcess }) => {
      flush()
      return {
        service: await numbersIn(registry),
        process: ofProcess ? await numbersIn(registryOfProcess) : undefined,
      }
    },
  }
}

function createProcessMetrics({ droppedLines = () => ({ lines: 0, audit: 0 }) }: MetricsOptions = {}) {
  const registry = new Registry()
  const instruments = createInstruments(registry, droppedLines)
  const { flush, ...traffic } = trafficMetrics(instruments)
  const { logins, refreshes, sessionsOpened, sessionsEnded, connectionsClosed } = instruments
  const { hashesWaiting, hashWaits, hashTimes, hashesRefused } = instruments
  const metrics: Metrics = {
    ...traffic,
    connectionClosed: (ending) => increment(connectionsClosed, { ending }),
    loginTried: (outcome) => increment(logins, { outcome }),
    refreshTried: (outcome) => increment(refreshes, { outcome }),
    sessionOpened: () => increment(sessionsOpened, {}),
    sessionsEnded: (ending, count) => {
      // A custom store may return any value, and `inc` throws for some values, such as negative numbers.
      if (Number.isSafeInteger(count) && count > 0) sessionsEnded.inc({ ending }, count)
    },
    hashesWaiting: (length) => hashesWaiting.set(length),
    hashComputed: ({ waited, took }) => {
      observe(hashWaits, {}, waited)
      observe(hashTimes, {}, took)
    },
    hashRefused: () => increment(hashesRefused, {}),
  }
  return { registry, flush, metrics }
}

/** Discards the object that prom-client's counter returns, because calls of the metrics port must return nothing. */
function increment<Label extends string>(
  counter: Counter<Label>,
  labels: Partial<Record<Label, string>>,
): void {
  counter.inc(labels)
}

type StoreCall = { readonly port: StorePort; readonly outcome: StoreOutcome; readonly duration: Milliseconds }

function trafficMetrics({ requests, requestTimes, storeCalls }: Instruments) {
  const routeOf = boundedLabel(ROUTES_MAX)
  const answered = batchProcessor<CompletedRequest>(({ method, route: pattern, status, duration }) => {
    const route = routeOf(pattern)
    requests.inc({ method, route, status: statusOf(status) })
    observe(requestTimes, { method, route }, duration)
  })
  const called = batchProcessor<StoreCall>(({ port, outcome, duration }) =>
    observe(storeCalls, { port, outcome }, duration),
  )
  return {
    requestAnswered: answered.add,
    storeCalled: (port: StorePort, outcome: StoreOutcome, duration: Milliseconds) =>
      called.add({ port, outcome, duration }),
    flush: () => {
      answered.flush()
      called.flush()
    },
  }
}

/** Returns the status as a label; all invalid statuses have the same label. */
function statusOf(status: CompletedRequest['status']): string {
  const isKnown = status === 'aborted' || (Number.isInteger(status) && status >= 100 && status <= 599)
  return isKnown ? String(status) : OTHER
}

/** In seconds. A custom clock may return any value, and a histogram throws if the duration is invalid. */
function observe<Label extends string>(
  times: Histogram<Label>,
  labels: Readonly<Record<Label, string>>,
  duration: Milliseconds,
): void {
  if (Number.isFinite(duration)) times.observe(labels, duration / 1000)
}

let shared: Registry | undefined

/**
 * Returns prom-client's metrics for the CPU, memory, event loop and garbage collection. prom-client cannot stop measuring, so the
 * measurement starts on first use, and only once.
 */
function processMetrics(): Registry {
  if (!shared) {
    shared = new Registry()
    collectDefaultMetrics({ register: shared })
  }
  return shared
}

const OTHER = 'other'

/** Maximum length of a route; a longer route gets the label `other`. */
const LENGTH_MAX = 200

/** Returns a function that keeps the first `most` distinct strings and replaces all later strings with `other`. */
function boundedLabel(most: number): (text: string) => string {
  const known = new Set<string>()
  return (text) => {
    if (known.has(text)) return text
    if (known.size >= most || text.length > LENGTH_MAX) return OTHER
    known.add(text)
    return text
  }
}

const COUNT = 500

/** Processes items in batches, because processing each item between two requests would cost several times as much. */
function batchProcessor<T>(look: (item: T) => void) {
  let items: T[] = []
  const flush = () => {
    const all = items
    items = []
    for (const item of all) look(item)
  }
  return {
    add: (item: T): void => {
      items.push(item)
      if (items.length >= COUNT) flush()
    },
    /** Processes the waiting items; must be called before the result is read. */
    flush,
  }
}
