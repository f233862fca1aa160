import type { Instant } from '../../domain/instant.js'
import type { AttemptLimiter } from '../../ports/attempt-limiter.js'
import type { SyncPort } from '../../ports/wrap-port.js'
import { createDeadlines } from './deadlines.js'

type Count = { readonly count: number; readonly until: Instant }

export function memoryAttempts(): SyncPort<AttemptLimiter> {
  const counts = new Map<string, Count>()
  const ends = createDeadlines<string>()

  function put(name: string, count: Count): void {
    counts.set(name, count)
    ends.set(name, count.until)
  }

  function purge(at: Instant, limit: number): number {
    const over = ends.takeOver(at, limit)
    for (const name of over) counts.delete(name)
    return over.length
  }

  return {
    take(asked, at) {
      // Adding counts removes old ones, so that there are never more than a window makes.
      purge(at, 2 * asked.length)
      const found = asked.map(({ name, limit }) => ({
        name,
        most: limit.count,
        ...activeCount(counts.get(name), at, limit.window),
      }))
      const full = found.filter(({ count, most }) => count >= most)
      if (full.length > 0) return { kind: 'refused', until: Math.max(...full.map(({ until }) => until)) }
      for (const { name, count, until } of found) put(name, { count: count + 1, until })
      return { kind: 'taken', attempt: { counts: found.map(({ name, until }) => ({ name, until })) } }
    },
    refund(attempt) {
      for (const { name, until } of attempt.counts) {
        const found = counts.get(name)
        if (found?.until === until && found.count > 0) put(name, { count: found.count - 1, until })
      }
    },
    purge,
  }
}

function activeCount(found: Count | undefined, at: Instant, window: number): Count {
  return found && at < found.until ? found : { count: 0, until: at + window }
}
