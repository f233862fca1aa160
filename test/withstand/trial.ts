import type { Bench, Counts, Round } from './checker.js'
import { MOST_SEEDS, type Trial } from './command-line.js'

/** What a trial came to, or so far. */
export type Outcome = Counts & {
  readonly rounds: number
  /** One for each history that was not allowed. */
  readonly violations: readonly Violation[]
  readonly undecided: number
  readonly seconds: number
}

/** What was not allowed, and the seed of its round. */
export type Violation = { readonly seed: number; readonly text: string }

export type TrialOptions = {
  /** Milliseconds, of a clock that never goes back. */
  readonly clock: () => number
  readonly stopped: AbortSignal
  /** Called after each round and with each note. */
  readonly onProgress?: (outcome: Outcome, note: string) => void
  /** Called at once, so that it is known where the trial is cut short. */
  readonly onViolation?: (violation: Violation) => void
}

const NOTHING: Outcome = {
  rounds: 0,
  histories: 0,
  operations: 0,
  faults: 0,
  violations: [],
  undecided: 0,
  seconds: 0,
}
/** A trial that finds this many has something grave to tell, and each of them takes time to shrink. */
const ENOUGH = 20

/**
 * Rounds, each with the next seed, until the minutes are over, the rounds are done, or it is stopped. A round that
 * throws is a violation too, and the rounds after it have a new bench, since the old one may be broken.
 */
export async function runTrial(trial: Trial, options: TrialOptions): Promise<Outcome> {
  const { clock, stopped, onProgress, onViolation } = options
  const begun = clock()
  let outcome = NOTHING
  const seconds = () => (clock() - begun) / 1000
  const isOver = () =>
    stopped.aborted ||
    outcome.rounds >= trial.rounds ||
    outcome.violations.length >= ENOUGH ||
    seconds() >= trial.minutes * 60
  const note = (text: string) => onProgress?.({ ...outcome, seconds: seconds() }, text)
  let bench: Bench | undefined
  try {
    while (!isOver()) {
      bench ??= await trial.checker.open(openingOf(trial, note))
      const seed = (trial.seed + outcome.rounds) % MOST_SEEDS
      const { round, broken } = await tried(bench, seed)
      // Whatever stops this process stops its children as well: such a round says nothing.
      if (stopped.aborted) break
      const violations = round.violations.map((text) => ({ seed, text }))
      for (const violation of violations) onViolation?.(violation)
      outcome = added(outcome, round, violations, seconds())
      note('')
      if (broken) {
        await bench.close()
        bench = undefined
      }
    }
  } finally {
    await bench?.close()
  }
  return { ...outcome, seconds: seconds() }
}

function openingOf({ store, planted }: Trial, note: (text: string) => void) {
  return { store, note, ...(planted !== undefined && { planted }) }
}

async function tried(bench: Bench, seed: number): Promise<{ round: Round; broken: boolean }> {
  try {
    return { round: await bench.round(seed), broken: false }
  } catch (error) {
    const text = `The round threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    return { round: { histories: 0, operations: 0, faults: 0, violations: [text] }, broken: true }
  }
}

function added(sum: Outcome, round: Round, violations: readonly Violation[], seconds: number): Outcome {
  return {
    rounds: sum.rounds + 1,
    histories: sum.histories + round.histories,
    operations: sum.operations + round.operations,
    faults: sum.faults + round.faults,
    violations: [...sum.violations, ...violations],
    undecided: sum.undecided + (round.undecided ?? 0),
    seconds,
  }
}
