import type { Figure } from './figures.js'
import type { Result } from './results.js'
import type { Progress } from './run.js'
import { createStatusLine, type Output } from './status-line.js'

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
  const { show, clear } = createStatusLine(output)
  return {
    /** The progress of the figure at this index of the list, which begins now. */
    of: (index: number): Progress => {
      const begun = clock()
      const [current, ...later] = figures.slice(index)
      if (!current) throw new Error('there is no such figure')
      return (what) => {
        const rest = Math.max(0, expected(current) - (clock() - begun) / 1000)
        const minutes = (rest + later.map(expected).reduce((sum, seconds) => sum + seconds, 0)) / 60
        show(`${index + 1}/${figures.length} ${current.name}: ${what}, ${leftOver(minutes)}`)
      }
    },
    clear,
  }
}

function leftOver(minutes: number): string {
  return minutes < 1 ? 'less than a minute left' : `about ${Math.round(minutes)} min left`
}
