import { collectDefaultMetrics, type Counter, type Histogram, Registry } from 'prom-client'
import type { Milliseconds } from '../../domain/instant.js'
import type { CompletedRequest, Metrics, StoreOutcome } from '../../ports/metrics.js'
import type { StorePort } from '../../ports/store.js'
import { createInstruments, type Instruments } from './instruments.js'
import type { ProcessNumbers } from './process-numbers.js'
import { expositionOf, numbersIn } from './registries.js'

/** Numbers of lines of the log; audit records are lines too. */
type DroppedLines = () => { readonly lines: number; readonly audit: number }

/** The current numbers in the text format of Prometheus. */
export type Exposition = () => Promise<{ readonly contentType: string; readonly text: string }>

/** Collects numbers and exposes them to a scraper. */
export type PrometheusMetrics = { readonly metrics: Metrics; readonly exposition: Exposition }

/** The metrics of a process whose numbers another process exposes. */
export type CollectedMetrics = {
  readonly metrics: Metrics
  /**
   * The current numbers. Without `ofProcess` it costs less than half, and the measurement of the event loop
   * delay, which prom-client restarts at each call, continues.
   */
  readonly collect: (options: { readonly ofProcess: boolean }) => Promise<ProcessNumbers>
}

type MetricsOptions = {
  /** Returns the numbers of lines that the log of this process has dropped; 0 by default. */
  readonly droppedLines?: DroppedLines
}

/** Kennel has fewer than 30 routes. */
const ROUTES_MAX = 200

/**
 * Metrics for Prometheus in a separate registry: several in one process do not mix, and only the numbers of the
 * process (CPU, memory, event loop) are the same. At most 200 routes are distinguished; further routes are
 * `other`.
 */
export function createPrometheusMetrics(options?: MetricsOptions): PrometheusMetrics {
  const { metrics, flush, registry } = measured(options)
  const ofProcess = processMetrics()
  return {
    metrics,
    exposition: async () => {
      flush()
      return await expositionOf(registry, ofProcess)
    },
  }
}

/** Metrics that another process collects and exposes. */
export function createCollectedMetrics(options?: MetricsOptions): CollectedMetrics {
  const { metrics, flush, registry } = measured(options)
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

function measured({ droppedLines = () => ({ lines: 0, audit: 0 }) }: MetricsOptions = {}) {
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
      // A custom store may return anything, and a counter throws for an invalid count.
      if (Number.isSafeInteger(count) && count > 0) sessionsEnded.inc({ ending }, count)
    },
    hashesWaiting: (length) => {
      hashesWaiting.set(length)
    },
    hashComputed: ({ waited, took }) => {
      observe(hashWaits, {}, waited)
      observe(hashTimes, {}, took)
    },
    hashRefused: () => increment(hashesRefused, {}),
  }
  return { registry, flush, metrics }
}

/** A counter returns its entry, but a call of the port returns nothing. */
function increment<Label extends string>(
  counter: Counter<Label>,
  labels: Partial<Record<Label, string>>,
): void {
  counter.inc(labels)
}

type StoreCall = { readonly port: StorePort; readonly outcome: StoreOutcome; readonly duration: Milliseconds }

/** The metrics of every request, which are processed in batches. */
function trafficMetrics({ requests, requestTimes, storeCalls }: Instruments) {
  const routeOf = boundedLabel(ROUTES_MAX)
  const answered = batched<CompletedRequest>(({ method, route: pattern, status, duration }) => {
    const route = routeOf(pattern)
    requests.inc({ method, route, status: statusOf(status) })
    observe(requestTimes, { method, route }, duration)
  })
  const called = batched<StoreCall>(({ port, outcome, duration }) =>
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

/** All invalid statuses are one label. */
function statusOf(status: CompletedRequest['status']): string {
  const isKnown = status === 'aborted' || (Number.isInteger(status) && status >= 100 && status <= 599)
  return isKnown ? String(status) : OTHER
}

/** In seconds. A custom clock may return anything, and a histogram throws for an invalid time. */
function observe<Label extends string>(
  times: Histogram<Label>,
  labels: Readonly<Record<Label, string>>,
  duration: Milliseconds,
): void {
  if (Number.isFinite(duration)) times.observe(labels, duration / 1000)
}

let shared: Registry | undefined

/**
 * CPU, memory, event loop and garbage collection by prom-client. It measures until the process ends and cannot
 * be stopped, so it starts on first use, and only once.
 */
function processMetrics(): Registry {
  if (!shared) {
    shared = new Registry()
    collectDefaultMetrics({ register: shared })
  }
  return shared
}

/** The label of all further texts. */
const OTHER = 'other'

/** Longer texts are no routes. */
const LENGTH_MAX = 200

/** Keeps the first `most` texts and replaces all later texts by `other`. */
function boundedLabel(most: number): (text: string) => string {
  const known = new Set<string>()
  return (text) => {
    if (known.has(text)) return text
    if (known.size >= most || text.length > LENGTH_MAX) return OTHER
    known.add(text)
    return text
  }
}

/** The largest number of waiting items. */
const COUNT = 500

/** Processes items in batches: between two requests each would cost several times as much. */
type Batched<T> = {
  readonly add: (item: T) => void
  /** Flushes the remaining items before the result is read. */
  readonly flush: () => void
}

function batched<T>(look: (item: T) => void): Batched<T> {
  let items: T[] = []
  const flush = () => {
    const all = items
    items = []
    for (const item of all) look(item)
  }
  return {
    add: (item) => {
      items.push(item)
      if (items.length >= COUNT) flush()
    },
    flush,
  }
}
