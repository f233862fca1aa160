import type { Output } from './output.js'
import type { Row } from './rows.js'
import { shownText } from './terminal-text.js'

/** Between two columns. */
const GAP = 2

/** One table for each page, so that a list of any length appears at once. */
export async function printTable(pages: AsyncIterable<readonly Row[]>, output: Output): Promise<void> {
  const { default: widthOf } = await import('string-width')
  for await (const rows of pages) {
    const [first] = rows
    if (!first) continue
    const lines = [Object.keys(first).map(heading), ...rows.map((row) => Object.values(row).map(shown))]
    const widths = Object.keys(first).map((_, column) =>
      Math.max(...lines.map((cells) => widthOf(cells[column] ?? ''))),
    )
    const padded = (cell: string, column: number) =>
      cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell) + GAP)
    const text = lines.map((cells) => `${cells.map(padded).join('')}\n`).join('')
    if (!(await output.write(text))) return
  }
  if (!output.isUsed()) await output.write('There are none.\n')
}

/** `createdAt` as CREATED AT. */
function heading(name: string): string {
  return name.replace(/[A-Z]/g, ' $&').toUpperCase()
}

function shown(value: Row[string]): string {
  if (value === null || value === undefined) return ''
  return shownText(typeof value === 'object' ? value.join(', ') : String(value))
}
