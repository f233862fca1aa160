import type { Milliseconds } from '../../domain/instant.js'
import { isRefusal } from '../../domain/refusal.js'
import type { Metrics } from '../../ports/metrics.js'
import type { Revocations } from '../../ports/revocations.js'
import type { Sessions } from '../../ports/sessions.js'
import type { StorePart, StorePort } from '../../ports/store.js'
import { wrapPort, wrapStore, type PortFunction } from '../../ports/wrap-port.js'

/** What is read of the answers of a port, by the function that gives them. */
type Readings<Port> = {
  readonly [Name in keyof Port]?: Port[Name] extends (...args: never[]) => Promise<infer Answer>
    ? (answer: Answer, metrics: Metrics) => void
    : never
}
type Reading = (answer: unknown, metrics: Metrics) => void

/** What the sessions' answers tell beside that they are there. */
const SESSIONS: Readings<Sessions> = {
  open: (_, metrics) => {
    metrics.sessionOpened()
  },
  openWithLimit: (ended, metrics) => {
    metrics.sessionOpened()
    metrics.sessionsEnded('revoked', ended)
  },
  rotate: ({ kind }, metrics) => {
    metrics.refreshTried(kind)
    if (kind === 'replayed') metrics.sessionsEnded('replayed', 1)
  },
  end: (answer, metrics) => {
    if (answer === 'ended') metrics.sessionsEnded('ended', 1)
  },
  endOne: (answer, metrics) => {
    if (answer === 'ended') metrics.sessionsEnded('ended', 1)
  },
  endOthers: (count, metrics) => {
    metrics.sessionsEnded('revoked', count)
  },
  endAllOf: (count, metrics) => {
    metrics.sessionsEnded('revoked', count ?? 0)
  },
  purge: (count, metrics) => {
    metrics.sessionsEnded('expired', count)
  },
}

/** Without sessions a refresh that succeeds is counted where it ends, and a replay is told by nothing else. */
const REVOCATIONS: Readings<Revocations> = {
  rotate: ({ kind }, metrics) => {
    if (kind === 'replayed') metrics.refreshTried(kind)
  },
}

const READINGS: { readonly [Port in StorePort]?: Readonly<Record<string, unknown>> } = {
  sessions: SESSIONS,
  revocations: REVOCATIONS,
}

/**
 * The same store; each call of its ports is counted with its time, and what became of sessions is read from
 * the answers. `now` is any clock that only goes on, in milliseconds.
 */
export function meterStore<Given extends StorePart>(
  store: Given,
  metrics: Metrics,
  now: () => Milliseconds,
): Given {
  return wrapStore(store, (functions, port) => {
    const readings = (READINGS[port] ?? {}) as Readonly<Record<string, Reading>>
    return wrapPort(functions, (call, name) => metered(call, { port, reading: readings[name], metrics, now }))
  })
}

type Meter = {
  readonly port: StorePort
  readonly reading: Reading | undefined
  readonly metrics: Metrics
  readonly now: () => Milliseconds
}

/** The answer is handed on as the very object that it is; who waits for it gets it after it was counted. */
function metered(call: PortFunction, { port, reading, metrics, now }: Meter): PortFunction {
  return (...args) => {
    const begun = now()
    const failed = (error: unknown): never => {
      const isAway = isRefusal(error) && error.code === 'unavailable'
      metrics.storeCalled(port, isAway ? 'unavailable' : 'fault', now() - begun)
      throw error
    }
    const answered = (answer: unknown) => {
      metrics.storeCalled(port, 'ok', now() - begun)
      reading?.(answer, metrics)
      return answer
    }
    let answer: unknown
    try {
      answer = call(...args)
    } catch (error) {
      return failed(error)
    }
    if (answer instanceof Promise) return answer.then(answered, failed)
    return isPromise(answer) ? Promise.resolve(answer).then(answered, failed) : answered(answer)
  }
}

/** Of any make: a store may bring promises of its own. */
function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === 'object' && answer !== null && 'then' in answer
}
