import type { Result } from './results.js'

const COLUMNS = ['histories', 'operations', 'faults', 'violations', 'undecided', 'minutes'] as const

/** A line for each result, as the table at the end of a run. */
export function summaryOf(results: readonly Result[]): string {
  const rows = results.map((result) => [
    result.checker,
    result.store,
    ...COLUMNS.map((name) => result[name].toLocaleString('en')),
    String(result.seed),
  ])
  const head = ['checker', 'store', ...COLUMNS, 'seed']
  const widths = head.map((name, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? name).length)),
  )
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => aligned(cell, widths[column] ?? 0, column)).join('  ')
  return [head, ...rows].map((cells) => line(cells).trimEnd()).join('\n')
}

/** Names on the left, numbers on the right. */
function aligned(cell: string, width: number, column: number): string {
  return column < 2 ? cell.padEnd(width) : cell.padStart(width)
}
