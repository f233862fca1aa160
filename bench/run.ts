/** The number of counted rounds, normally and for a quick measurement. */
export type Rounds = { readonly usual: number; readonly quick: number }

/** Options of the command line. */
export type RunOptions = {
  /** Measures fewer and shorter rounds, with smaller stores if the full stores take long to fill. */
  readonly quick: boolean
  readonly rounds?: number | undefined
  readonly seconds?: number | undefined
}

/** One side of a comparison, which a round measures once. */
export type Contestant<R> = { readonly name: string; round(number: number): Promise<R> }

/** A contestant's results, one per round. */
export type Results<R> = { readonly name: string; readonly rounds: readonly R[] }

/** Prints which step begins, for example filling a store. */
export type Progress = (what: string) => void

/** The settings and functions for measuring one figure. */
export type Run = {
  readonly quick: boolean
  /** The length of a round with steady load. */
  readonly seconds: number
  readonly step: Progress
  rounds(rounds: Rounds): number
  /** Calls `alternate` with the number of rounds of this run. */
  alternate<const All extends readonly Contestant<unknown>[]>(
    contestants: All,
    rounds?: Rounds,
  ): Promise<ResultsOfAll<All>>
}

/** The results, in the order of the contestants. */
type ResultsOfAll<All extends readonly Contestant<unknown>[]> = {
  readonly [Index in keyof All]: All[Index] extends Contestant<infer R> ? Results<R> : never
}

const USUAL: Rounds = { usual: 5, quick: 2 }

export function createRun({ quick, rounds, seconds }: RunOptions, step: Progress): Run {
  const roundsOf = (wanted: Rounds) => rounds ?? (quick ? wanted.quick : wanted.usual)
  return {
    quick,
    seconds: seconds ?? (quick ? 1 : 2),
    step,
    rounds: roundsOf,
    alternate: (contestants, wanted = USUAL) => alternate(contestants, roundsOf(wanted), step),
  }
}

/**
 * Runs one warm-up round of each contestant, which is not counted. Then alternates the contestants (A B A B), so that other load on the
 * machine affects them equally.
 */
async function alternate<All extends readonly Contestant<unknown>[]>(
  contestants: All,
  rounds: number,
  step: Progress,
): Promise<ResultsOfAll<All>> {
  const results = contestants.map(({ name }) => ({ name, rounds: [] as unknown[] }))
  for (let number = 0; number <= rounds; number += 1) {
    step(number === 0 ? 'warming up' : `round ${number} of ${rounds}`)
    for (const [index, contestant] of contestants.entries()) {
      const measured = await contestant.round(number)
      if (number > 0) results[index]?.rounds.push(measured)
    }
  }
  return results as unknown as ResultsOfAll<All>
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? NaN
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? NaN)) / 2 : upper
}

export function medianOf<R>({ rounds }: Results<R>, of: (round: R) => number): number {
  return median(rounds.map(of))
}

/** Returns the median of the round-by-round ratios of two contestants. */
export function ratio<R>(a: Results<R>, b: Results<R>, of: (round: R) => number): number {
  return median(a.rounds.map((round, index) => of(round) / of(b.rounds[index] ?? round)))
}
