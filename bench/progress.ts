import type { Figure } from './figures.js'
import type { Result } from './results.js'
import type { Progress } from './run.js'

/** The output of the progress: a terminal has one line, which is rewritten; a file gets a line each time. */
export type Output = { readonly isTTY?: boolean; write(text: string): unknown }

export type ProgressOptions = {
  readonly figures: readonly Figure[]
  /** Earlier results, which say how long each figure took. */
  readonly results: ReadonlyMap<string, Result>
  readonly quick: boolean
  readonly output: Output
  /** Milliseconds. */
  readonly clock: () => number
}

/** The seconds of a figure without an earlier result. */
const UNKNOWN = 45
/** The share of the usual time that a quick run takes. */
const QUICK = 0.2

/** The figure, what begins, and the remaining minutes. */
export function createProgress({ figures, results, quick, output, clock }: ProgressOptions) {
  const expected = ({ name }: Figure) => (results.get(name)?.tookSeconds ?? UNKNOWN) * (quick ? QUICK : 1)
  const say = (text: string) => output.write(output.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
  return {
    /** The progress of the figure at this index of the list, which begins now. */
    of: (index: number): Progress => {
      const begun = clock()
      const [current, ...later] = figures.slice(index)
      if (!current) throw new Error('there is no such figure')
      return (what) => {
        const rest = Math.max(0, expected(current) - (clock() - begun) / 1000)
        const minutes = (rest + later.map(expected).reduce((sum, seconds) => sum + seconds, 0)) / 60
        say(`${index + 1}/${figures.length} ${current.name}: ${what}, ${leftOver(minutes)}`)
      }
    },
    /** Leaves the line to other output. */
    clear: () => {
      if (output.isTTY) output.write('\r\u001b[K')
    },
  }
}

function leftOver(minutes: number): string {
  return minutes < 1 ? 'less than a minute left' : `about ${Math.round(minutes)} min left`
}
