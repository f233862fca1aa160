import type { Attempt, AttemptCount } from '../../../src/ports/attempt-limiter.js'
import { breakageOf, everybodyElse, type Breakage } from './breakage.js'

const broken = breakageOf('attempts')
const LIMIT = 'as many as the limit are taken, and the next one is refused until the window ends'
const WINDOW = 'after its window a name is free again, for another whole window'
const MANY = 'of many names whose windows end at once each is free from then on'
const NAMES = 'names are counted apart, to the letter'
const TOGETHER =
  'an attempt under several names is counted under all of them or none, and refused to the latest end'
const OWN = 'every name has its own limit and its own window, and a refusal lasts until none is full'
const BACK = 'what is refunded can be taken again'
const ITSELF = 'what is refunded makes room for itself, in the window that there is'
const LATE = 'what is refunded after its window changes nothing'
const RACE = 'of 16 attempts at once as many as the limit are taken'
const REFUSED = 'an attempt is refused by others that are counted, and by none that is refused itself'
const PURGE = 'purge removes what is over, at most so much, and says how much'

export const brokenAttempts: readonly Breakage[] = [
  broken('one more than the limit is let through', [LIMIT, WINDOW, OWN, RACE, REFUSED], (inner) => ({
    take: (counts, at) =>
      inner.take(
        counts.map(({ name, limit }) => ({ name, limit: { ...limit, count: limit.count + 1 } })),
        at,
      ),
  })),
  broken('a window never ends', [WINDOW, MANY, OWN, LATE], (inner) => ({
    take: (counts) => inner.take(counts, 0),
  })),
  broken('names are folded', [NAMES], (inner) => ({
    take: (counts, at) =>
      inner.take(
        counts.map(({ name, limit }) => ({ name: name.trim().toLowerCase(), limit })),
        at,
      ),
  })),
  broken('each name is counted by itself, also of a refused attempt', [TOGETHER, OWN, REFUSED], (inner) => ({
    async take(asked, at) {
      const outcomes = []
      for (const count of asked) outcomes.push(await inner.take([count], at))
      const counts = outcomes.flatMap((one) => (one.kind === 'taken' ? one.attempt.counts : []))
      return outcomes.find(({ kind }) => kind === 'refused') ?? { kind: 'taken', attempt: { counts } }
    },
  })),
  broken('names are counted one after the other, and taken back where one is full', [REFUSED], (inner) => ({
    async take(asked, at) {
      const taken: Attempt['counts'][number][] = []
      for (const count of asked) {
        const outcome = await inner.take([count], at)
        await everybodyElse()
        if (outcome.kind === 'refused') {
          await inner.refund({ counts: taken })
          return await inner.take(upTo(asked, 1), at)
        }
        taken.push(...outcome.attempt.counts)
      }
      return { kind: 'taken', attempt: { counts: taken } }
    },
  })),
  broken('nothing is refunded', [BACK, ITSELF], () => ({ refund: async () => undefined })),
  broken('it is looked before it is counted', [RACE, REFUSED], (inner) => {
    const used = new Map<string, number>()
    return {
      async take(counts, at) {
        const before = counts.map(({ name }) => used.get(name) ?? 0)
        await everybodyElse()
        const full = counts.some(({ limit }, index) => (before[index] ?? 0) >= limit.count)
        if (full) return await inner.take(upTo(counts, 0), at)
        counts.forEach(({ name }, index) => used.set(name, (before[index] ?? 0) + 1))
        return await inner.take(upTo(counts, 1_000), at)
      },
    }
  }),
  broken('purge knows no limit', [PURGE], (inner) => ({ purge: (at) => inner.purge(at, Infinity) })),
]

function upTo(counts: readonly AttemptCount[], count: number): AttemptCount[] {
  return counts.map(({ name, limit }) => ({ name, limit: { ...limit, count } }))
}
