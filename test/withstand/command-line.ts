import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { CheckedStore, Checker } from './checker.js'

/** One checker on one store, for so long. */
export type Trial = {
  readonly checker: Checker
  readonly store: CheckedStore
  /** The bug that is planted in what is checked. */
  readonly planted?: string
  /** Of its first round; each later round has the next one. */
  readonly seed: number
  /** It begins no round after so many minutes. */
  readonly minutes: number
  /** It ends after so many rounds, however long they take. */
  readonly rounds: number
  /** In how many processes, each with rounds, minutes and seeds of its own. */
  readonly jobs: number
}

/** What `npm run withstand` was asked for. */
export type Wanted =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'page' }
  | {
      readonly kind: 'try'
      readonly trials: readonly Trial[]
      /** What is left out, a line each, with its reason. */
      readonly leftOut: readonly string[]
      /** Whether each result is kept, in place of an earlier one, and the page is written from all of them. */
      readonly keep: boolean
      /** A line of JSON for each result in place of a table. */
      readonly json: boolean
    }

/** Something that cannot be done; the message says what, and what can. */
export class UsageError extends Error {}

const USAGE = `npm run withstand -- [checker …] [options]
  --minutes N      all trials together take about N minutes (30)
  --store NAME     memory, sqlite or mongodb; without it each store that a checker has
  --seed N         of the first round, from 0 to 2147483647; without it a random one
  --rounds N       end each trial after N rounds
  --jobs N         each trial in N processes with seeds of their own, whose counts are added up (1)
  --planted NAME   with this bug in what is checked, which has to be found: names one checker
  --keep           keep the results in test/withstand/results and write docs/contribute/withstanding.md
  --json           a line of JSON for each result
  --list           the checkers, their stores and planted bugs
  --page           try nothing, write docs/contribute/withstanding.md from the kept results
  --help           this text`

const STORES: readonly CheckedStore[] = ['memory', 'sqlite', 'mongodb']
const DEFAULT_MINUTES = 30
const MOST_MINUTES = 100_000
const MOST_JOBS = 64
const MOST_ROUNDS = 1_000_000_000
export const MOST_SEEDS = 2 ** 31
const NO_MONGODB =
  'there is no MongoDB: put a mongod, 6.0 or newer, on PATH, or its path into MONGOMS_SYSTEM_BINARY'

/** Throws a UsageError. */
export function readCommandLine(
  args: readonly string[],
  checkers: readonly Checker[],
  hasMongodb: boolean,
): Wanted {
  const { values, positionals } = parsed(args)
  if (values.help) return { kind: 'text', text: `${USAGE}\nCheckers: ${namesOf(checkers)}` }
  if (values.list) return { kind: 'text', text: checkers.map(described).join('\n') }
  if (values.page) return { kind: 'page' }
  const chosen = named(positionals, checkers)
  const stores = storesOf(values.store)
  const pairs = chosen.flatMap((checker) =>
    checker.stores.filter((store) => stores.includes(store)).map((store) => ({ checker, store })),
  )
  if (pairs.length === 0) throw new UsageError(`${namesOf(chosen)}: not on the store ${stores.join(', ')}.`)
  const judged = pairs.map((pair) => ({ ...pair, reason: missing(pair, hasMongodb) }))
  const possible = judged.filter(({ reason }) => reason === undefined)
  const leftOut = judged.flatMap(({ checker, store, reason }) =>
    reason === undefined ? [] : [`${checker.name} on ${store} is left out: ${reason}.`],
  )
  if (possible.length === 0) throw new UsageError(leftOut.join('\n'))
  const minutes = minutesOf(values.minutes)
  const seed =
    values.seed === undefined ? randomInt(MOST_SEEDS) : wholeOf('seed', values.seed, 0, MOST_SEEDS - 1)
  const rounds = values.rounds === undefined ? Infinity : wholeOf('rounds', values.rounds, 1, MOST_ROUNDS)
  const jobs = values.jobs === undefined ? 1 : wholeOf('jobs', values.jobs, 1, MOST_JOBS)
  const planted = plantedIn(chosen, values.planted)
  const trials = possible.map(({ checker, store }) => ({
    checker,
    store,
    seed,
    rounds,
    jobs,
    minutes: minutes / possible.length,
    ...(planted !== undefined && { planted }),
  }))
  if (planted !== undefined && values.keep) {
    throw new UsageError('The result with a planted bug is not kept: leave --keep out.')
  }
  return { kind: 'try', trials, leftOut, keep: values.keep, json: values.json }
}

function parsed(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const
  const value = { type: 'string' } as const
  const flags = { keep: flag, json: flag, list: flag, page: flag, help: flag }
  const options = {
    ...flags,
    minutes: value,
    store: value,
    seed: value,
    rounds: value,
    jobs: value,
    planted: value,
  }
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
  }
}

function named(names: readonly string[], checkers: readonly Checker[]): readonly Checker[] {
  const unknown = names.filter((name) => !checkers.some((checker) => checker.name === name))
  if (unknown.length > 0) {
    throw new UsageError(`There is no checker ${unknown.join(', ')}. There are ${namesOf(checkers)}.`)
  }
  return names.length === 0 ? checkers : checkers.filter(({ name }) => names.includes(name))
}

function storesOf(name: string | undefined): readonly CheckedStore[] {
  if (name === undefined) return STORES
  const found = STORES.filter((store) => store === name)
  if (found.length === 0) throw new UsageError(`There is no store ${name}. There are ${STORES.join(', ')}.`)
  return found
}

type Pair = Pick<Trial, 'checker' | 'store'>

function missing({ checker, store }: Pair, hasMongodb: boolean): string | undefined {
  return store === 'mongodb' && !hasMongodb ? NO_MONGODB : checker.missing?.()
}

function plantedIn(chosen: readonly Checker[], name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const [checker, ...others] = chosen
  if (!checker || others.length > 0) throw new UsageError('--planted needs the name of one checker.')
  if (Object.hasOwn(checker.planted, name)) return name
  const known = Object.keys(checker.planted).join(', ')
  throw new UsageError(`${checker.name} has no planted bug ${name}. It has ${known}.`)
}

function minutesOf(text: string | undefined): number {
  const minutes = text === undefined ? DEFAULT_MINUTES : numberIn(text)
  if (minutes > 0 && minutes <= MOST_MINUTES) return minutes
  throw new UsageError(`--minutes takes a number above 0, and no more than ${MOST_MINUTES}.`)
}

function wholeOf(name: string, text: string, least: number, most: number): number {
  const value = numberIn(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new UsageError(`--${name} takes a whole number from ${least} to ${most}.`)
}

function numberIn(text: string): number {
  return text.trim() === '' ? NaN : Number(text)
}

function described({ name, title, stores, planted }: Checker): string {
  const bugs = Object.entries(planted).map(([bug, what]) => `    ${bug}: ${what}`)
  return [`${name} (${stores.join(', ')}): ${title}`, ...bugs].join('\n')
}

function namesOf(checkers: readonly Checker[]): string {
  return checkers.map(({ name }) => name).join(', ')
}
