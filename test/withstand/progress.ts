import type { Outcome } from './run-campaign.js'

type Output = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown }

/** The seconds between two lines in a file; a terminal has one line, which is written again and again. */
const INTERVAL = 30

/** The progress of one campaign, and each violation as soon as it is found. */
export function createProgress(output: Output, command: string) {
  let [written, told] = [-Infinity, 0]
  const clear = () => {
    if (output.isTTY === true) output.write('\r\u001b[K')
  }
  return {
    show: (outcome: Outcome, note: string) => {
      for (; told < outcome.violations.length; told += 1) {
        const { seed, text } = outcome.violations[told] ?? { seed: 0, text: '' }
        clear()
        output.write(`\nVIOLATION\n${text}\nAgain: ${command} --seed ${String(seed)} --rounds 1\n\n`)
      }
      if (output.isTTY !== true && outcome.seconds - written < INTERVAL) return
      written = outcome.seconds
      const line = `${lineOf(outcome)}${note === '' ? '' : `; ${note}`}`
      clear()
      output.write(output.isTTY === true ? line.slice(0, (output.columns ?? 80) - 1) : `${line}\n`)
    },
    end: clear,
  }
}

function lineOf({ campaign, seed, rounds, requests, faults, violations, seconds }: Outcome): string {
  const counts = Object.entries({ rounds, requests, faults, violations: violations.length })
  const told = counts.map(([name, count]) => `${count.toLocaleString('en')} ${name}`).join(', ')
  return `${campaign}: ${told}; seed ${String(seed)}; ${(seconds / 60).toFixed(1)} min`
}
