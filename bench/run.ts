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
  /** For figures that count their rounds themselves. */
  readonly progress: Progress
  /** `alternate`, with the number of rounds of this run, and with progress. */
  alternate<R>(contestants: readonly Contestant<R>[], rounds?: Rounds): Promise<readonly Results<R>[]>
}

/** The round that begins; 0 is the uncounted round. */
export type Progress = (round: number, rounds: number) => void

const USUAL: Rounds = { usual: 5, quick: 2 }

export function createRun({ quick, rounds, seconds }: RunOptions, progress: Progress): Run {
  const roundsOf = (wanted: Rounds) => rounds ?? (quick ? wanted.quick : wanted.usual)
  return {
    quick,
    seconds: seconds ?? (quick ? 1 : 2),
    rounds: roundsOf,
    progress,
    alternate: (contestants, wanted = USUAL) => alternate(contestants, roundsOf(wanted), progress),
  }
}
