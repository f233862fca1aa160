import type { Attempt } from '../../../src/ports/attempt-limiter.js'
import { breakageOf, everybodyElse, type Breakage } from './breakage.js'

const broken = breakageOf('attempts')
const LIMIT = 'as many as the limit are taken, and the next one is refused until the window ends'
const WINDOW = 'after its window a name is free again, for another whole window'
const NAMES = 'names are counted apart, to the letter'
const TOGETHER =
  'an attempt under several names is counted under all of them or none, and refused to the latest end'
const BACK = 'what is given back can be taken again'
const LATE = 'what is given back after its window changes nothing'
const RACE = 'of 16 attempts at once as many as the limit are taken'
const PURGE = 'purge removes what is over, at most so much, and says how much'

export const brokenAttempts: readonly Breakage[] = [
  broken('nothing is counted', [LIMIT, WINDOW, TOGETHER, BACK, LATE, RACE], () => ({
    take: async (names, { window }, at) => ({
      kind: 'taken',
      attempt: { counts: names.map((name) => ({ name, until: at + window })) },
    }),
  })),
  broken('one more than the limit is let through', [LIMIT, WINDOW, RACE], (inner) => ({
    take: (names, { count, window }, at) => inner.take(names, { count: count + 1, window }, at),
  })),
  broken('a refusal lasts from the refused attempt on', [LIMIT], (inner) => ({
    async take(names, limit, at) {
      const outcome = await inner.take(names, limit, at)
      return outcome.kind === 'refused' ? { kind: 'refused', until: at + limit.window } : outcome
    },
  })),
  broken('a window never ends', [WINDOW, LATE], (inner) => ({
    take: (names, limit) => inner.take(names, limit, 0),
  })),
  broken('names are folded', [NAMES], (inner) => ({
    take: (names, limit, at) =>
      inner.take(
        names.map((name) => name.trim().toLowerCase()),
        limit,
        at,
      ),
  })),
  broken('each name is counted by itself, also of a refused attempt', [TOGETHER], (inner) => ({
    async take(names, limit, at) {
      const outcomes = []
      for (const name of names) outcomes.push(await inner.take([name], limit, at))
      const counts = outcomes.flatMap((one) => (one.kind === 'taken' ? one.attempt.counts : []))
      return outcomes.find(({ kind }) => kind === 'refused') ?? { kind: 'taken', attempt: { counts } }
    },
  })),
  broken('nothing is given back', [BACK], () => ({ giveBack: async () => undefined })),
  broken('only the first name is given back', [BACK], (inner) => ({
    giveBack: ({ counts }) => inner.giveBack({ counts: counts.slice(0, 1) }),
  })),
  broken('what is given back is taken off any window', [LATE], (inner) => {
    const latest = new Map<string, number>()
    return {
      async take(names, limit, at) {
        const outcome = await inner.take(names, limit, at)
        if (outcome.kind === 'taken')
          for (const { name, until } of outcome.attempt.counts) latest.set(name, until)
        return outcome
      },
      giveBack: ({ counts }: Attempt) =>
        inner.giveBack({
          counts: counts.map(({ name, until }) => ({ name, until: latest.get(name) ?? until })),
        }),
    }
  }),
  broken('it is looked before it is counted', [RACE], (inner) => {
    const used = new Map<string, number>()
    return {
      async take(names, limit, at) {
        const before = names.map((name) => used.get(name) ?? 0)
        await everybodyElse()
        if (before.some((count) => count >= limit.count))
          return await inner.take(names, { ...limit, count: 0 }, at)
        names.forEach((name, index) => used.set(name, (before[index] ?? 0) + 1))
        return await inner.take(names, { ...limit, count: 1_000 }, at)
      },
    }
  }),
  broken('purge removes what is in force', [PURGE], (inner) => ({
    purge: (_, limit) => inner.purge(Infinity, limit),
  })),
  broken('purge knows no limit', [PURGE], (inner) => ({ purge: (at) => inner.purge(at, Infinity) })),
  broken('purge removes nothing', [PURGE], () => ({ purge: async () => 0 })),
]
