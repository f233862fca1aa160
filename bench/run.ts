import { alternate, type Contestant, type Results } from './alternate.js'

/** How many rounds are counted, usually and for a rough look. */
export type Rounds = { readonly usual: number; readonly quick: number }

/** What was asked for on the command line. */
export type RunOptions = {
  /** Fewer and shorter rounds, and smaller sizes where the full ones take long to build. */
  readonly quick: boolean
  readonly rounds?: number | undefined
  readonly seconds?: number | undefined
}

/** How a figure is measured this time. */
export type Run = {
  readonly quick: boolean
  /** Of a round under steady load. */
  readonly seconds: number
  rounds(rounds: Rounds): number
  /** Told by those that count their rounds themselves. */
  readonly progress: Progress
  /** `alternate`, with as many rounds as this run has, and its progress told. */
  alternate<R>(contestants: readonly Contestant<R>[], rounds?: Rounds): Promise<readonly Results<R>[]>
}

/** The round that begins; 0 is the one that is not counted. */
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
