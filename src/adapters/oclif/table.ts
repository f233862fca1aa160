import type { Output } from './output.js'
import type { Row } from './rows.js'
import { shownText } from './terminal-text.js'

const BORDERLESS = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((part) => [part, '']),
)

/** One table for each page, so that a list of any length appears at once. */
export async function printTable(pages: AsyncIterable<readonly Row[]>, output: Output): Promise<void> {
  const { default: Table } = await import('cli-table3')
  for await (const rows of pages) {
    const [first] = rows
    if (!first) continue
    const table = new Table({
      head: Object.keys(first).map(heading),
      chars: BORDERLESS,
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    })
    table.push(...rows.map((row) => Object.values(row).map(shown)))
    if (!(await output.write(`${table.toString()}\n`))) return
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
