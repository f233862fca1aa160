import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { format, resolveConfig } from 'prettier'
import type { Report } from './report.js'

/** The result of one figure, and where, when and how it was measured. One file each in `bench/results`. */
export type Result = {
  readonly figure: string
  /** The day, as in 2026-11-22. */
  readonly date: string
  /** The options of the command, such as `--rounds 3`. */
  readonly options: string
  /** Processor, memory and Node. */
  readonly machine: string
  /** Cores that were busy with other work before the measurement. */
  readonly busyCores: number
  readonly report: Report
}

/** All kept results, by the names of their figures. */
export function readResults(folder: string): ReadonlyMap<string, Result> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  const results = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Result)
  return new Map(results.map((result) => [result.figure, result]))
}

/** Replaces the earlier result of the figure. */
export async function keepResult(folder: string, result: Result): Promise<void> {
  const file = join(folder, `${result.figure}.json`)
  writeFileSync(file, await formatted(JSON.stringify(rounded(result)), file))
}

/** Rounds numbers to six significant digits; a value that is not a number becomes null. */
export function rounded(result: Result): Result {
  const text = JSON.stringify(result, (_, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value,
  )
  return JSON.parse(text) as Result
}

/** The text of a file as `npm run format` leaves it. */
export async function formatted(text: string, file: string): Promise<string> {
  return await format(text, { ...(await resolveConfig(file)), filepath: file })
}

export function thisMachine(): string {
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor'
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${processor}, ${cpus().length} cores, ${memory} GiB, Node ${process.versions.node}`
}

/** More than background work of a quiet machine. */
const BUSY = 0.2
const LOOK = 500

export function isBusy(cores: number): boolean {
  return cores > BUSY
}

/** The cores that other processes kept busy in the next half second, while nothing is measured. */
export async function busyCores(): Promise<number> {
  const before = spent()
  await pause(LOOK)
  const after = spent()
  return ((after.busy - before.busy) / (after.all - before.all)) * cpus().length
}

function spent(): { busy: number; all: number } {
  const times = cpus().map(({ times: { user, nice, sys, irq, idle } }) => [user + nice + sys + irq, idle])
  const sum = (of: readonly (number | undefined)[]) => of.reduce<number>((total, one = 0) => total + one, 0)
  const busy = sum(times.map(([one]) => one))
  return { busy, all: busy + sum(times.map(([, idle]) => idle)) }
}
