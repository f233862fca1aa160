import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../support/project.js'

/** A change of the source: where it is, without numbers of lines, as these move; and what becomes what. */
export type Mutation = {
  readonly file: string
  /** The last line before it that begins something at the margin, or its own: the function that it is in. */
  readonly within: string
  /** The line where it begins. */
  readonly line: string
  /** The text before and after, its white space squeezed, the middle of a long one left out. */
  readonly change: string
}

/** A place in a file, as Stryker reports it: both count from 1. */
export type Position = { readonly line: number; readonly column: number }

export type ReportedMutant = {
  readonly status: string
  readonly replacement?: string
  readonly location: { readonly start: Position; readonly end: Position }
}

const LONGEST = 120

export function mutationOf(file: string, { location, replacement = '' }: ReportedMutant): Mutation {
  const lines = linesOf(file)
  const { start, end } = location
  const margin = lines.slice(0, start.line).findLast((text) => /^[a-z]/.test(text)) ?? ''
  const line = lines[start.line - 1]?.trim() ?? ''
  const original = textBetween(lines, start, end)
  return { file, within: margin.trim(), line, change: `${shortened(original)} → ${shortened(replacement)}` }
}

/** Whether the place is in the source as it is now. */
export function stillStands({ file, within, line }: Mutation): boolean {
  const lines = linesOf(file)
  const begin = lines.findIndex((text) => text.trim() === within)
  return begin >= 0 && lines.slice(begin).some((text) => text.trim() === line)
}

export function sameMutation(one: Mutation, other: Mutation): boolean {
  return (
    one.file === other.file &&
    one.within === other.within &&
    one.line === other.line &&
    one.change === other.change
  )
}

function linesOf(file: string): string[] {
  return readFileSync(join(PROJECT, file), 'utf8').split('\n')
}

function textBetween(lines: readonly string[], start: Position, end: Position): string {
  const touched = lines.slice(start.line - 1, end.line)
  const last = touched.length - 1
  return touched
    .map((text, index) =>
      text.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join('\n')
}

function shortened(text: string): string {
  const squeezed = text.replaceAll(/\s+/g, ' ')
  if (squeezed.length <= LONGEST) return squeezed
  return `${squeezed.slice(0, LONGEST / 2)} … ${squeezed.slice(-LONGEST / 2)}`
}
