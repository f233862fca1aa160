import { readFileSync } from 'node:fs'
import type { Configuration } from '../../src/configuration/configuration.js'

/** The lines of a table beside its test; cells are separated by tabs. */
export function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}

/** What a base and a change of it, as JSON, stand for. */
export function inputOf(line: string): { readonly base: string; readonly given: unknown } {
  const [base = '', given = ''] = line.split('\t')
  return { base, given: JSON.parse(given) as unknown }
}

/** The same line with what has really come of it. */
export function withOutcome(line: string, cells: readonly string[]): string {
  return [...line.split('\t').slice(0, 2), ...cells].join('\t')
}

export type Meaning = Readonly<Record<string, unknown>>

/** A configuration as one member for each value, such as `http.port`. Permissions have a table of their own. */
export function meaningOf({ permissions: _, permissionsFile: __, ...others }: Configuration): Meaning {
  return Object.fromEntries(leavesOf(others, ''))
}

function leavesOf(value: unknown, path: string): [string, unknown][] {
  const isBranch = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isBranch) return [[path, value]]
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(member, path === '' ? name : `${path}.${name}`),
  )
}

/** The members that are others than in the base, as JSON; `null` stands for those that are not there. */
export function changesIn(meaning: Meaning, base: Meaning): string {
  const names = new Set([...Object.keys(base), ...Object.keys(meaning)])
  const changed = [...names].filter((name) => JSON.stringify(base[name]) !== JSON.stringify(meaning[name]))
  return JSON.stringify(Object.fromEntries(changed.map((name) => [name, meaning[name] ?? null])))
}
