import type { Outcome } from './run-campaign.js'

/** The table at the end: a line for each campaign. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ campaign, rounds, requests, faults, violations, seconds, seed }) => [
    campaign,
    ...[rounds, requests, faults, violations.length].map((count) => count.toLocaleString('en')),
    (seconds / 60).toFixed(1),
    String(seed),
  ])
  const head = ['campaign', 'rounds', 'requests', 'faults', 'violations', 'minutes', 'seed']
  const widths = head.map((name, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? name).length)),
  )
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0)))
        .join('  '),
    )
    .join('\n')
}
