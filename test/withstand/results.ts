import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatted } from '../../bench/formatted.js'
import { thisMachine, type Machine } from '../../bench/machine.js'
import type { CheckedStore, Counts } from './checker.js'
import type { Trial } from './command-line.js'
import type { Outcome } from './trial.js'

/** What a trial came to, as it is kept: one file each in `test/withstand/results`. */
export type Result = Counts & {
  readonly checker: string
  readonly store: CheckedStore
  readonly planted?: string
  readonly seed: number
  readonly rounds: number
  readonly violations: number
  /** Histories of which the search did not find out whether they are allowed. */
  readonly undecided: number
  /** Processes that ran at the same time. */
  readonly jobs: number
  readonly minutes: number
  /** The day, as in 2026-11-22. */
  readonly date: string
  readonly node: string
  readonly machine: Pick<Machine, 'processor' | 'cores' | 'memoryGiB' | 'system'>
}

export function resultOf({ checker, store, planted, seed }: Trial, outcome: Outcome, now: Date): Result {
  const { rounds, histories, operations, faults, violations, undecided, seconds } = outcome
  const { processor, cores, memoryGiB, system } = thisMachine()
  return {
    checker: checker.name,
    store,
    ...(planted !== undefined && { planted }),
    seed,
    rounds,
    histories,
    operations,
    faults,
    violations: violations.length,
    undecided,
    jobs: 1,
    minutes: Math.round(seconds / 6) / 10,
    date: now.toISOString().slice(0, 10),
    node: process.versions.node,
    machine: { processor, cores, memoryGiB, system },
  }
}

/** All that are kept in this folder. */
export function readResults(folder: string): readonly Result[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Result)
}

/** Keeps a result in place of an earlier one. */
export async function keepResult(folder: string, result: Result): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${result.checker}-${result.store}.json`)
  writeFileSync(file, await formatted(JSON.stringify(result), file))
}

export function resultsIn(project: string): string {
  return join(project, 'test', 'withstand', 'results')
}
