import type { Bench, Checker, Round } from './checker.js'
import type { Trial } from './command-line.js'

export const WELL: Round = { histories: 2, operations: 10, faults: 1, violations: [] }

/** A checker whose rounds are given, and what was done with it. */
export function madeUp(round: (seed: number) => Round | Promise<Round>, rest: Partial<Checker> = {}) {
  const calls: string[] = []
  const bench: Bench = {
    round: async (seed) => {
      calls.push(`round ${seed}`)
      return await round(seed)
    },
    close: async () => {
      calls.push('close')
    },
  }
  const checker: Checker = {
    name: 'made-up',
    title: 'Nothing at all',
    stores: ['memory', 'mongodb'],
    open: async ({ store, planted }) => {
      calls.push(['open', store, ...(planted === undefined ? [] : [planted])].join(' '))
      return bench
    },
    planted: { late: 'an end that comes late' },
    ...rest,
  }
  return { checker, calls }
}

export function trialOf(checker: Checker, rest: Partial<Trial> = {}): Trial {
  return { checker, store: 'memory', seed: 7, minutes: 1, rounds: Infinity, jobs: 1, ...rest }
}
