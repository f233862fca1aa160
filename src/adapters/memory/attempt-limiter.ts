import type { Instant } from '../../domain/instant.js'
import type { AttemptLimiter } from '../../ports/attempt-limiter.js'
import type { SyncPort } from '../../application/wrap-port.js'
import { createDeadlines } from './collections.js'

/** Attempt counts in memory. */
export function memoryAttempts(): SyncPort<AttemptLimiter> {
  const counts = createDeadlines<string, { readonly count: number; readonly until: Instant }>()
  const purge = (at: Instant, limit: number) => counts.takeOver(at, limit).length

  return {
    take(requested, at) {
      // Each call removes expired counts, so that memory holds only the counts of about one window.
      purge(at, 2 * requested.length)
      const found = requested.map(({ name, limit }) => {
        const count = counts.get(name)
        const active = count && at < count.until ? count : { count: 0, until: at + limit.window }
        return { name, max: limit.count, ...active }
      })
      const full = found.filter(({ count, max }) => count >= max)
      if (full.length > 0) return { kind: 'refused', until: Math.max(...full.map(({ until }) => until)) }
      for (const { name, count, until } of found) counts.set(name, until, { count: count + 1, until })
      return { kind: 'taken', attempt: { counts: found.map(({ name, until }) => ({ name, until })) } }
    },
    refund(attempt) {
      for (const { name, until } of attempt.counts) {
        const found = counts.get(name)
        if (found?.until === until && found.count > 0)
          counts.set(name, until, { count: found.count - 1, until })
      }
    },
    clear(names) {
      const isNamed = (name: string) => names.some((one) => name === one || name.startsWith(`${one} `))
      for (const name of [...counts.keys()].filter(isNamed)) counts.delete(name)
    },
    purge,
  }
}
