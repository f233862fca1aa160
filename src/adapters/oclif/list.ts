import { Flags, type Interfaces } from '@oclif/core'
import {
  command,
  JSON_FLAG,
  STORE_FLAGS,
  type Commands,
  type CommandDeclaration,
  type TypedValues,
  booleanFlag,
  UsageError,
  type CommandContext,
} from './command.js'
import { type Output, jsonLine, shownText } from './output.js'
import { runTask, type StoreFlags } from './task.js'

/** A command that lists items of one kind. */
type ListCommand<A extends TypedValues, F extends TypedValues, T> = CommandDeclaration<A, F> & {
  /** Returns a usage error for invalid flags before the store is opened. */
  readonly usageError?: (flags: NoInfer<F>) => string | undefined
  readonly pages: (context: CommandContext, choice: A & F) => AsyncIterable<readonly T[]>
  readonly row: (item: T) => Row
}

export const LIMIT_FLAG = {
  limit: Flags.integer({ description: 'maximum number of rows; all by default', min: 1, helpValue: 'N' }),
}

export const afterFlag = (last: string, helpValue: string) =>
  Flags.string({ description: `continue after ${last}, the last item in the previous list`, helpValue })

/** The flags of lists whose length has no limit. */
export const PAGE_FLAGS = {
  ...LIMIT_FLAG,
  'newest-first': booleanFlag('list the newest items first'),
}

export function list<A extends TypedValues, F extends TypedValues, T>({
  usageError = () => undefined,
  pages,
  row,
  ...described
}: ListCommand<A, F, T>): Commands[string] {
  const flags = { ...described.flags, ...JSON_FLAG, ...STORE_FLAGS } as Interfaces.FlagInput<
    F & StoreFlags & { json: boolean }
  >
  return command({ ...described, flags }, async (parts, args, flags, { open }) => {
    const error = usageError(flags)
    if (error !== undefined) throw new UsageError(error)
    await runTask(parts, { open, ...flags }, (context, output) =>
      printList(rowsOf(pages(context, { ...args, ...flags }), row), flags, output),
    )
  })
}

/** Prints a table on a terminal; otherwise, or with --json, a JSON array. */
export async function printList(
  pages: AsyncIterable<readonly Row[]>,
  { json }: { readonly json: boolean },
  output: Output,
): Promise<void> {
  await (process.stdout.isTTY && !json ? printTable : printArray)(pages, output)
}

async function* rowsOf<T>(pages: AsyncIterable<readonly T[]>, row: (item: T) => Row) {
  for await (const page of pages) yield page.map(row)
}

async function printArray(pages: AsyncIterable<readonly Row[]>, output: Output): Promise<void> {
  let before = '['
  for await (const rows of pages) {
    if (rows.length === 0) continue
    if (!(await output.write(before + rows.map((row) => jsonLine(row)).join(',\n')))) return
    before = ',\n'
  }
  await output.write(output.isUsed() ? ']\n' : '[]\n')
}

/** Prints one table for each page, so that the beginning of a list of any length appears immediately. */
async function printTable(pages: AsyncIterable<readonly Row[]>, output: Output): Promise<void> {
  const { default: widthOf } = await import('string-width')
  for await (const rows of pages) {
    // If the width of the terminal is unknown, `columns` is 0.
    const terminal = { width: process.stdout.columns || Number.POSITIVE_INFINITY, widthOf }
    if (rows.length > 0 && !(await output.write(tableOf(rows, terminal)))) return
  }
  if (!output.isUsed()) await output.write('There are none.\n')
}

const PAGE = 500

/** Reads page after page until a page has fewer items than requested or `most` items have been read; holds only one page in memory. */
export async function* eachPage<T>(
  read: (page: { after: T | undefined; limit: number }) => Promise<readonly T[]>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly T[]> {
  let page: readonly T[] = []
  for (let left = most; left > 0; left -= page.length) {
    const limit = Math.min(PAGE, left)
    page = await read({ after: page.at(-1), limit })
    yield page
    if (page.length < limit) return
  }
}

/** Yields all items as a single page, for use cases that return a whole list. */
export async function* onePage<T>(items: Promise<readonly T[]>): AsyncGenerator<readonly T[]> {
  yield await items
}

/** Formats an instant for lists, in UTC. */
export function shownInstant(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString()
}

export function shownInstants<Name extends string>(
  instants: Readonly<Record<Name, number | undefined>>,
): Record<Name, string | null> {
  const shown = Object.entries<number | undefined>(instants).map(([name, at]) => [name, shownInstant(at)])
  return Object.fromEntries(shown) as Record<Name, string | null>
}

/** A table row whose times are already formatted as text. An undefined cell is empty in a table and is omitted from JSON. */
export type Row = Readonly<Record<string, string | number | boolean | null | undefined | readonly string[]>>

/** The width of a terminal, and a function that measures the width of a string, in columns. */
export type Terminal = { readonly width: number; readonly widthOf: (text: string) => number }

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

function heading(name: string): string {
  return name.replace(/[A-Z]/g, ' $&').toUpperCase()
}

function cell(value: Row[string]): string {
  if (value === null || value === undefined) return ''
  return shownText(typeof value === 'object' ? value.join(', ') : String(value))
}
