// Formats the rows of a list as a table for a terminal.
import { shownText } from './terminal-text.js'

/** A table row whose times are already formatted as text. An undefined cell is empty in a table and is omitted from JSON. */
export type Row = Readonly<Record<string, string | number | boolean | null | undefined | readonly string[]>>

/** The width of a terminal, and a function that measures the width of a string, in columns. */
export type Terminal = { readonly width: number; readonly widthOf: (text: string) => number }

/** Number of spaces between two columns. */
const GAP = 2
/** Number of spaces before a line that continues a row. */
const INDENT = 4

/**
 * Formats a table that fits the terminal and shows every cell: columns that do not fit continue on further lines, which are indented. A
 * cell that is wider than the terminal is split into several lines.
 */
export function tableOf(rows: readonly Row[], terminal: Terminal): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = [names.map(heading), ...rows.map((row) => names.map((name) => cell(row[name])))]
  const widths = names.map((_, at) => Math.max(...lines.map((cells) => terminal.widthOf(cells[at] ?? ''))))
  const groups = groupsOf(widths, terminal.width)
  const shown = lines.flatMap((cells) =>
    groups.flatMap((group, at) => lineOf(cells, { group, at, widths, terminal })),
  )
  return shown.map((line) => `${line}\n`).join('')
}

/** Returns the indexes of the columns that each line contains. */
function groupsOf(widths: readonly number[], width: number): readonly (readonly number[])[] {
  const groups: number[][] = [[]]
  let used = 0
  for (const [column, own] of widths.entries()) {
    if (used > 0 && used + own > width) {
      groups.push([])
      used = INDENT
    }
    groups.at(-1)?.push(column)
    used += own + GAP
  }
  return groups
}

type Line = {
  readonly group: readonly number[]
  readonly at: number
  readonly widths: readonly number[]
  readonly terminal: Terminal
}

/** A continuation line without text is omitted. */
function lineOf(cells: readonly string[], { group, at, widths, terminal }: Line): string[] {
  const indent = ' '.repeat(at === 0 ? 0 : INDENT)
  const padded = group.map((column) => {
    const text = cells[column] ?? ''
    return text + ' '.repeat((widths[column] ?? 0) - terminal.widthOf(text) + GAP)
  })
  const text = padded.join('').trimEnd()
  if (text === '') return at === 0 ? [''] : []
  return splitToWidth(text, { ...terminal, width: terminal.width - indent.length }).map(
    (part) => indent + part,
  )
}

function splitToWidth(text: string, { width, widthOf }: Terminal): string[] {
  if (widthOf(text) <= width) return [text]
  const parts = ['']
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const longer = (parts.at(-1) ?? '') + segment
    if (widthOf(longer) > width) parts.push(segment)
    else parts[parts.length - 1] = longer
  }
  return parts
}

/** Converts a property name such as `createdAt` to the heading `CREATED AT`. */
function heading(name: string): string {
  return name.replace(/[A-Z]/g, ' $&').toUpperCase()
}

function cell(value: Row[string]): string {
  if (value === null || value === undefined) return ''
  return shownText(typeof value === 'object' ? value.join(', ') : String(value))
}
