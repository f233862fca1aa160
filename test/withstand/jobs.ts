import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createInterface } from 'node:readline'
import { MOST_SEEDS, type Trial } from './command-line.js'
import type { Output } from './progress.js'
import type { Result } from './results.js'

const PROGRAM = join(import.meta.dirname, 'withstand-main.js')

export type JobsOptions = {
  /** Gets what each process says, with the number of its job before it. */
  readonly messages: Output
  /** Ends each process after its round. */
  readonly stopped: AbortSignal
}

/**
 * Tries in as many processes as the trial has jobs, each with seeds of its own, and adds up what they came to. Rejects
 * where one of them ends without a result.
 */
export async function tryInJobs(trial: Trial, options: JobsOptions): Promise<Result> {
  const apart = Math.floor(MOST_SEEDS / trial.jobs)
  const results = await Promise.all(
    Array.from({ length: trial.jobs }, async (_, job) => {
      const seed = (trial.seed + job * apart) % MOST_SEEDS
      return await resultOfJob(job + 1, { ...trial, seed }, options)
    }),
  )
  return addedUp(results)
}

async function resultOfJob(job: number, trial: Trial, { messages, stopped }: JobsOptions): Promise<Result> {
  const child = spawn(process.execPath, [PROGRAM, ...argumentsOf(trial)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = () => void child.kill('SIGTERM')
  stopped.addEventListener('abort', stop)
  createInterface(child.stderr).on('line', (line) => messages.write(`job ${String(job)}: ${line}\n`))
  try {
    const written = await text(child.stdout)
    if (written === '') throw new Error(`job ${String(job)} ended without a result`)
    return JSON.parse(written) as Result
  } finally {
    stopped.removeEventListener('abort', stop)
  }
}

function argumentsOf({ checker, store, seed, minutes, rounds, planted }: Trial): string[] {
  return [
    checker.name,
    '--json',
    ...['--store', store],
    ...['--seed', String(seed)],
    ...['--minutes', String(minutes)],
    ...(rounds === Infinity ? [] : ['--rounds', String(rounds)]),
    ...(planted === undefined ? [] : ['--planted', planted]),
  ]
}

/** With the seed of the first, and the minutes of the longest. */
function addedUp(results: readonly Result[]): Result {
  const [first, ...others] = results
  if (!first) throw new Error('there is no job')
  return others.reduce(
    (sum, one) => ({
      ...sum,
      jobs: sum.jobs + one.jobs,
      rounds: sum.rounds + one.rounds,
      histories: sum.histories + one.histories,
      operations: sum.operations + one.operations,
      faults: sum.faults + one.faults,
      violations: sum.violations + one.violations,
      undecided: sum.undecided + one.undecided,
      minutes: Math.max(sum.minutes, one.minutes),
    }),
    first,
  )
}
