import type { Trial } from './command-line.js'
import type { Outcome } from './trial.js'

/** Where it is written: a terminal has one line for it, which is written again; a file gets a line each minute. */
export type Output = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown }

const REFRESH_TERMINAL = 0.2
const REFRESH_FILE = 60

/** The progress line of a trial: counts so far, the seed, and what is left. */
export function createProgress(output: Output, place: string) {
  let written = -Infinity
  const clear = () => {
    if (output.isTTY) output.write('\r\u001b[K')
  }
  return {
    show: (trial: Trial, outcome: Outcome, note: string) => {
      const interval = output.isTTY ? REFRESH_TERMINAL : REFRESH_FILE
      if (outcome.seconds - written < interval) return
      written = outcome.seconds
      const line = `${place} ${progressLine(trial, outcome)}${note === '' ? '' : `; ${note}`}`
      output.write(output.isTTY ? `\r\u001b[K${line.slice(0, (output.columns ?? 80) - 1)}` : `${line}\n`)
    },
    /** Leaves the line to others. */
    clear,
  }
}

function progressLine({ checker, store, seed, minutes }: Trial, outcome: Outcome): string {
  const counts = (['histories', 'operations', 'faults'] as const)
    .filter((name) => outcome[name] > 0)
    .map((name) => `${outcome[name].toLocaleString('en')} ${name}`)
  const { violations, seconds } = outcome
  const left = Math.max(0, minutes - seconds / 60)
  const rest = left < 1 ? 'less than a minute left' : `about ${Math.round(left)} min left`
  const what = [...counts, `${violations.length} violations`].join(', ')
  return `${checker.name} on ${store}: ${what}; seed ${seed}; ${rest}`
}
