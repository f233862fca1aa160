import type { Milliseconds } from '../../domain/instant.js'
import type { Metrics, StorePort } from '../../ports/metrics.js'
import type { Sessions } from '../../ports/sessions.js'
import type { Store } from '../../ports/store.js'
import { meteredPort, type CallObserver } from './metered-port.js'

/** The one store function that answers are read of, by what it answers. */
type Readings = {
  readonly [Name in keyof Sessions]?: (answer: Awaited<ReturnType<Sessions[Name]>>, metrics: Metrics) => void
}

/** What the sessions' answers tell beside that they are there. */
const SESSIONS: Readings = {
  open: (_, metrics) => {
    metrics.sessionOpened()
  },
  rotate: ({ kind }, metrics) => {
    metrics.refreshTried(kind)
    if (kind === 'replayed') metrics.sessionsEnded('replayed', 1)
  },
  end: (answer, metrics) => {
    if (answer === 'ended') metrics.sessionsEnded('ended', 1)
  },
  endAllOf: (count, metrics) => {
    metrics.sessionsEnded('revoked', count ?? 0)
  },
  purge: (count, metrics) => {
    metrics.sessionsEnded('expired', count)
  },
}

const NONE: Readings = {}

/**
 * The same store; each call of its ports is counted with its time, and what became of sessions is read from
 * the answers. `now` is any clock that only goes on, in milliseconds.
 */
export function meterStore(store: Store, metrics: Metrics, now: () => Milliseconds): Store {
  const metered = <Port extends object>(port: StorePort, calls: Port, readings = NONE) =>
    meteredPort(calls, observerOf(port, { metrics, now, readings }))
  return {
    accounts: metered('accounts', store.accounts),
    sessions: metered('sessions', store.sessions, SESSIONS),
    pets: metered('pets', store.pets),
    roles: metered('roles', store.roles),
    apiKeys: metered('apiKeys', store.apiKeys),
    projects: metered('projects', store.projects),
    revocations: metered('revocations', store.revocations),
    attempts: metered('attempts', store.attempts),
    audit: metered('audit', store.audit),
    mailQueue: metered('mailQueue', store.mailQueue),
    ...(store.records && { records: metered('records', store.records) }),
    ready: () => store.ready(),
    close: () => store.close(),
  }
}

type Meter = { readonly metrics: Metrics; readonly now: () => Milliseconds; readonly readings: Readings }

function observerOf(port: StorePort, { metrics, now, readings }: Meter): CallObserver {
  const readers = readings as Readonly<Record<string, (answer: unknown, metrics: Metrics) => void>>
  return {
    begin: now,
    end: (begun, name, outcome, answer) => {
      metrics.storeCalled(port, outcome, now() - begun)
      if (outcome === 'ok') readers[name]?.(answer, metrics)
    },
  }
}
