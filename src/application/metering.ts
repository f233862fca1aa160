// Counts the calls of a store and the results of logins for the metrics.
import type { Milliseconds } from '../domain/instant.js'
import { isRefusal } from '../domain/refusal.js'
import type { Metrics } from '../ports/metrics.js'
import type { StorePart } from '../ports/given-store.js'
import type { Store, StorePort } from '../ports/store.js'
import type { Issued } from './identity/issue.js'
import { wrapStore } from './wrap-port.js'

type ResultCounter<Answer> = (answer: Answer, metrics: Metrics) => void
type ResultCounters<Port> = {
  readonly [Name in keyof Port]?: Port[Name] extends (...args: never[]) => Promise<infer Answer>
    ? ResultCounter<Answer>
    : never
}

const endedOne: ResultCounter<'ended' | 'unknown'> = (answer, metrics) => {
  if (answer === 'ended') metrics.sessionsEnded('ended', 1)
}
const revoked: ResultCounter<number | undefined> = (count = 0, metrics) =>
  metrics.sessionsEnded('revoked', count)

const SESSIONS: ResultCounters<Store['sessions']> = {
  open: (_, metrics) => metrics.sessionOpened(),
  openWithLimit: (ended, metrics) => {
    metrics.sessionOpened()
    revoked(ended, metrics)
  },
  rotate: ({ kind }, metrics) => {
    metrics.refreshTried(kind)
    if (kind === 'replayed') metrics.sessionsEnded('replayed', 1)
  },
  end: endedOne,
  endOne: endedOne,
  endOthers: revoked,
  endAllOf: revoked,
  purge: (count, metrics) => metrics.sessionsEnded('expired', count),
}

/** In stateless mode, `refresh` counts its own successes, but only the result of `rotate` reveals a replay. */
const REVOCATIONS: ResultCounters<Store['revocations']> = {
  rotate: ({ kind }, metrics) => {
    if (kind === 'replayed') metrics.refreshTried(kind)
  },
}

const READINGS: { readonly [Port in StorePort]?: object } = { sessions: SESSIONS, revocations: REVOCATIONS }

/** Wraps the store to count and time each call. `now` is any monotonic clock in milliseconds. */
export function meterStore<Part extends StorePart>(
  store: Part,
  metrics: Metrics,
  now: () => Milliseconds,
): Part {
  return wrapStore(store, (call, name, port) => {
    const reading = (READINGS[port] as Readonly<Record<string, ResultCounter<unknown>>> | undefined)?.[name]
    return async (...args) => {
      const begun = now()
      let answer: unknown
      try {
        answer = await call(...args)
      } catch (error) {
        const isAway = isRefusal(error) && error.code === 'unavailable'
        metrics.storeCalled(port, isAway ? 'unavailable' : 'fault', now() - begun)
        throw error
      }
      metrics.storeCalled(port, 'ok', now() - begun)
      reading?.(answer, metrics)
      return answer
    }
  })
}

/** Wraps a login function; with metrics, the wrapper counts each attempt by its result. */
export function meterLogin<Input>(
  login: (input: Input) => Promise<Issued>,
  metrics: Pick<Metrics, 'loginTried'> | undefined,
): (input: Input) => Promise<Issued> {
  if (!metrics) return login
  return async (input) => {
    try {
      const issued = await login(input)
      metrics.loginTried('success')
      return issued
    } catch (error) {
      metrics.loginTried(isRefusal(error) ? error.code : 'fault')
      throw error
    }
  }
}
