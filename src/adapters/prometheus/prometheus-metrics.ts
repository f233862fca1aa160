import { collectDefaultMetrics, type Histogram, Registry } from 'prom-client'
import type { Milliseconds } from '../../domain/instant.js'
import type { CompletedRequest, Metrics, StoreOutcome } from '../../ports/metrics.js'
import type { StorePort } from '../../ports/store.js'
import { createInstruments, type Instruments } from './instruments.js'
import type { ProcessNumbers } from './process-numbers.js'
import { expositionOf, numbersIn } from './registries.js'

/** The numbers of now, in the text format of Prometheus. */
export type Exposition = () => Promise<{ readonly contentType: string; readonly text: string }>

/** Takes numbers in, and gives them out to a scraper. */
export type PrometheusMetrics = { readonly metrics: Metrics; readonly exposition: Exposition }

/** Metrics of one of several processes, whose numbers another one gives out. */
export type CollectedMetrics = {
  readonly metrics: Metrics
  /**
   * The numbers of now. Without those `ofProcess`, such as its memory, it costs less than half, and the delay of the
   * event loop, which prom-client measures from one look to the next, is not begun anew.
   */
  readonly collect: (options: { readonly ofProcess: boolean }) => Promise<ProcessNumbers>
}

/** Sources of numbers that the metrics do not count themselves. */
type MetricsOptions = {
  /** How many lines the log of this process has dropped so far; 0 if it is not given. */
  readonly droppedLines?: () => number
}

/** Kennel has fewer than 30; more come only from a host that labels by something else than the route. */
const ROUTES_MAX = 200

/**
 * Metrics for Prometheus, in a registry of their own: several in one process do not mix. The numbers of the
 * process itself (CPU, memory, event loop) are the same in all of them. However many routes it is told of, it
 * tells at most 200 apart; further ones are `other`.
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

/** Metrics of one of several processes: not to be scraped, but to be collected. */
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

function measured({ droppedLines = () => 0 }: MetricsOptions = {}) {
  const registry = new Registry()
  const instruments = createInstruments(registry, droppedLines)
  const { flush, ...traffic } = trafficMetrics(instruments)
  return {
    registry,
    flush,
    metrics: { ...identityMetrics(instruments), ...hashMetrics(instruments), ...traffic },
  }
}

type Identity = 'loginTried' | 'refreshTried' | 'sessionOpened' | 'sessionsEnded'

function identityMetrics(instruments: Instruments): Pick<Metrics, Identity> {
  const { logins, refreshes, sessionsOpened, sessionsEnded } = instruments
  return {
    loginTried: (outcome) => {
      logins.inc({ outcome })
    },
    refreshTried: (outcome) => {
      refreshes.inc({ outcome })
    },
    sessionOpened: () => {
      sessionsOpened.inc()
    },
    sessionsEnded: (ending, count) => {
      // Of a store that is not ours anything may come, and a counter throws at what is no count.
      if (Number.isSafeInteger(count) && count > 0) sessionsEnded.inc({ ending }, count)
    },
  }
}

type Hashes = 'hashesWaiting' | 'hashComputed' | 'hashRefused'

function hashMetrics(instruments: Instruments): Pick<Metrics, Hashes> {
  const { hashesWaiting, hashWaits, hashTimes, hashesRefused } = instruments
  return {
    hashesWaiting: (count) => {
      hashesWaiting.set(count)
    },
    hashComputed: ({ waited, took }) => {
      observe(hashWaits, {}, waited)
      observe(hashTimes, {}, took)
    },
    hashRefused: () => {
      hashesRefused.inc()
    },
  }
}

type Traffic = Omit<Metrics, Identity | Hashes>
type StoreCall = { readonly port: StorePort; readonly outcome: StoreOutcome; readonly duration: Milliseconds }

/** What happens with every request. */
function trafficMetrics({
  requests,
  requestTimes,
  connectionsClosed,
  storeCalls,
}: Instruments): Traffic & { readonly flush: () => void } {
  const routeOf = boundedLabel(ROUTES_MAX)
  const answered = batched<CompletedRequest>(({ method, route: pattern, status, duration }) => {
    const route = routeOf(pattern)
    requests.inc({ method, route, status: statusOf(status) })
    observe(requestTimes, { method, route }, duration)
  })
  const called = batched<StoreCall>(({ port, outcome, duration }) => {
    observe(storeCalls, { port, outcome }, duration)
  })
  return {
    requestAnswered: answered.add,
    connectionClosed: (ending) => {
      connectionsClosed.inc({ ending })
    },
    storeCalled: (port, outcome, duration) => {
      called.add({ port, outcome, duration })
    },
    flush: () => {
      answered.flush()
      called.flush()
    },
  }
}

/** A number that is no status is not told apart. */
function statusOf(status: CompletedRequest['status']): string {
  const isKnown = status === 'aborted' || (Number.isInteger(status) && status >= 100 && status <= 599)
  return isKnown ? String(status) : OTHER
}

/** In seconds. Of a clock of a caller's own anything may come, and a histogram throws at what is no time. */
function observe<Label extends string>(
  times: Histogram<Label>,
  labels: Readonly<Record<Label, string>>,
  duration: Milliseconds,
): void {
  if (Number.isFinite(duration)) times.observe(labels, duration / 1000)
}

let shared: Registry | undefined

/**
 * What prom-client tells of the process: CPU, memory, event loop, garbage collection. It watches until the
 * process ends and cannot be stopped, so it is begun when it is first asked for, and once only.
 */
function processMetrics(): Registry {
  if (!shared) {
    shared = new Registry()
    collectDefaultMetrics({ register: shared })
  }
  return shared
}

/** What stands for every text that is told apart no longer. */
const OTHER = 'other'

/** Longer ones are no pattern of a route. */
const LENGTH_MAX = 200

/** The first texts as they are, at most that many; `other` for all that come after them. */
function boundedLabel(most: number): (text: string) => string {
  const known = new Set<string>()
  return (text) => {
    if (known.has(text)) return text
    if (known.size >= most || text.length > LENGTH_MAX) return OTHER
    known.add(text)
    return text
  }
}

/** How many are kept until they are looked at. */
const COUNT = 500

/** Keeps what is told, and looks at all of it in one go: between two requests each would cost several times as much. */
type Batched<T> = {
  readonly add: (item: T) => void
  /** Flushes what is left, before the result is read. */
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
