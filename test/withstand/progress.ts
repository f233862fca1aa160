import { createStatusLine, type Output } from '../../bench/status-line.js'
import type { Outcome } from './campaign.js'

const INTERVAL = 30

/** Shows the progress of one campaign, and each violation as soon as it is found. */
export function createProgress(output: Output) {
  const line = createStatusLine(output)
  let [written, told] = [-Infinity, 0]
  return {
    show: (outcome: Outcome, note: string) => {
      const { violations, seconds } = outcome
      for (const text of violations.slice(told)) {
        line.clear()
        output.write(`\nVIOLATION\n${text}\n\n`)
      }
      told = violations.length
      if (output.isTTY !== true && seconds - written < INTERVAL) return
      written = seconds
      const counts = Object.entries(rowOf(outcome)).map(([name, count]) => `${name} ${String(count)}`)
      line.show([...counts, note].filter(Boolean).join(', '))
    },
    end: line.clear,
  }
}

/** Returns the line for a campaign in the table at the end. */
export function rowOf({ campaign, seed, rounds, requests, faults, violations, seconds }: Outcome) {
  const all = Object.values(faults).reduce((sum, count) => sum + count, 0)
  const minutes = Number((seconds / 60).toFixed(1))
  return { campaign, seed, minutes, rounds, requests, faults: all, violations: violations.length }
}
