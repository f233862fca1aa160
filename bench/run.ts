import { alternate, type Contestant, type Results } from './alternate.js'

/** The counted rounds, usually and for a rough measurement. */
export type Rounds = { readonly usual: number; readonly quick: number }

/** Options of the command line. */
export type RunOptions = {
  /** Fewer and shorter rounds, and smaller sizes if the full sizes take long to build. */
  readonly quick: boolean
  readonly rounds?: number | undefined
  readonly seconds?: number | undefined
}

/** The settings of this measurement of a figure. */
export type Run = {
  readonly quick: boolean
  /** The length of a round under steady load. */
  readonly seconds: number
  rounds(rounds: Rounds): number
  /** Says what begins, such as the seeding of a store. */
  readonly step: Progress
  /** Says which round begins, for figures that count their rounds themselves. */
  readonly progress: (round: number, rounds: number) => void
  /** `alternate`, with the number of rounds of this run, and with progress. */
  alternate<R>(contestants: readonly Contestant<R>[], rounds?: Rounds): Promise<readonly Results<R>[]>
}

/** Says what begins. */
export type Progress = (what: string) => void

const USUAL: Rounds = { usual: 5, quick: 2 }

export function createRun({ quick, rounds, seconds }: RunOptions, step: Progress): Run {
  const progress: Run['progress'] = (round, count) => step(roundName(round, count))
  const roundsOf = (wanted: Rounds) => rounds ?? (quick ? wanted.quick : wanted.usual)
  return {
    quick,
    seconds: seconds ?? (quick ? 1 : 2),
    rounds: roundsOf,
    step,
    progress,
    alternate: (contestants, wanted = USUAL) => alternate(contestants, roundsOf(wanted), progress),
  }
}

/** Round 0 is the uncounted round. */
function roundName(round: number, rounds: number): string {
  return round === 0 ? 'warming up' : `round ${round} of ${rounds}`
}
