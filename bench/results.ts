import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatted } from './formatted.js'
import type { Machine, Versions } from './machine.js'
import type { Report } from './report.js'

/** What one figure came to, and where, when and how it was measured. One file each in `bench/results`. */
export type Result = {
  readonly figure: string
  /** The day, as in 2026-11-22. */
  readonly date: string
  /** From its beginning to its end: how long it will take next time. */
  readonly tookSeconds: number
  /** What was asked for in place of the usual. */
  readonly rounds?: number
  readonly seconds?: number
  readonly quick?: true
  readonly machine: Machine
  readonly versions: Versions
  /** The version of the server, where one has a part in it. */
  readonly mongodb?: string
  /** Cores that were busy with something else before it began. */
  readonly busyCores: number
  readonly report: Report
}

/** All that are kept in this folder, by the names of their figures. */
export function readResults(folder: string): ReadonlyMap<string, Result> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  const results = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Result)
  return new Map(results.map((result) => [result.figure, result]))
}

/** Keeps a result in place of an earlier one. */
export async function keepResult(folder: string, result: Result): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${result.figure}.json`)
  writeFileSync(file, await formatted(JSON.stringify(rounded(result)), file))
}

/** As it is kept: six digits of a number count, and what is not a number is null. */
export function rounded(result: Result): Result {
  const text = JSON.stringify(result, (_, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value,
  )
  return JSON.parse(text) as Result
}
