import type { Store } from '../../../../src/ports/store.js'
import { gap } from './gap.js'

/** Attempts are counted by a read and a later write, in each process for itself. */
export function countedLater(store: Store): Store {
  const counts = new Map<string, number>()
  return {
    ...store,
    attempts: {
      ...store.attempts,
      take: async (asked, at) => {
        const found = asked.map(({ name, limit }) => ({ name, limit, count: counts.get(name) ?? 0 }))
        await gap()
        if (found.some(({ count, limit }) => count >= limit.count))
          return { kind: 'refused', until: at + 1000 }
        for (const { name, count } of found) counts.set(name, count + 1)
        return { kind: 'taken', attempt: { counts: found.map(({ name }) => ({ name, until: at + 1000 })) } }
      },
      refund: async (attempt) => {
        for (const { name } of attempt.counts) counts.set(name, (counts.get(name) ?? 0) - 1)
      },
    },
  }
}
