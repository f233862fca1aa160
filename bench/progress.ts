import type { Figure } from './figures.js'
import type { Result } from './results.js'
import type { Progress } from './run.js'

/** Where it is written: a terminal has one line for it, which is written again; a file gets a line each time. */
export type Output = { readonly isTTY?: boolean; write(text: string): unknown }

export type ProgressOptions = {
  readonly figures: readonly Figure[]
  /** They say how long each took the last time. */
  readonly results: ReadonlyMap<string, Result>
  readonly quick: boolean
  readonly output: Output
  /** Milliseconds. */
  readonly clock: () => number
}

/** Where nothing is known of a figure. */
const UNKNOWN = 45
/** What a quick run takes of the usual time. */
const QUICK = 0.2

/** Which figure, which round of how many, and how many minutes are left. */
export function createProgress({ figures, results, quick, output, clock }: ProgressOptions) {
  const expected = ({ name }: Figure) => (results.get(name)?.tookSeconds ?? UNKNOWN) * (quick ? QUICK : 1)
  const say = (text: string) => output.write(output.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
  return {
    /** The progress of the figure at this place of the list, which begins now. */
    of: (index: number): Progress => {
      const begun = clock()
      const [current, ...later] = figures.slice(index)
      if (!current) throw new Error('there is no such figure')
      return (round, rounds) => {
        const rest = Math.max(0, expected(current) - (clock() - begun) / 1000)
        const minutes = (rest + later.map(expected).reduce((sum, seconds) => sum + seconds, 0)) / 60
        const what = round === 0 ? 'warming up' : `round ${round} of ${rounds}`
        say(`${index + 1}/${figures.length} ${current.name}: ${what}, ${leftOver(minutes)}`)
      }
    },
    /** Leaves the line to others. */
    clear: () => {
      if (output.isTTY) output.write('\r\u001b[K')
    },
  }
}

function leftOver(minutes: number): string {
  return minutes < 1 ? 'less than a minute left' : `about ${Math.round(minutes)} min left`
}
