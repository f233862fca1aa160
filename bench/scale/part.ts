import { median, type Results } from '../alternate.js'
import type { Claim, Report, Row } from '../report.js'

/** Some measurements on stores of several sizes; the values of a row are ordered by size, smallest first. */
export type Part = Pick<Report, 'claims' | 'rows'> & {
  readonly notes?: readonly string[]
  /** The lines of a growth chart, relative to the smallest size, so that all lines fit into one chart. */
  readonly speeds?: readonly Row[]
}

/** The medians of the rounds, of each size. */
export function sizedRow<R>(name: string, sizes: readonly Results<R>[], of: (round: R) => number): Row {
  return { name, values: sizes.map(({ rounds }) => median(rounds.map(of))) }
}

/** Joins all parts. */
export function joined(parts: readonly Part[]): Required<Part> {
  const all = <T>(of: (part: Part) => readonly T[] | undefined) => parts.flatMap((part) => of(part) ?? [])
  return {
    rows: all<Row>(({ rows }) => rows),
    claims: all<Claim>(({ claims }) => claims),
    notes: all(({ notes }) => notes),
    speeds: all(({ speeds }) => speeds),
  }
}

/** The first and the last element; throws if there are no elements. */
export function endsOf<T>(all: readonly T[]): readonly [T, T] {
  const [first, last] = [all[0], all.at(-1)]
  if (first === undefined || last === undefined) throw new Error('at least one is needed')
  return [first, last]
}
