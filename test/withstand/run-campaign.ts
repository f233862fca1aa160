import type { Bench, Campaign, Round } from './campaign.js'

/** The sum of all rounds of one campaign. */
export type Outcome = {
  readonly campaign: string
  /** The seed of the first round; each further round has the next seed. */
  readonly seed: number
  readonly rounds: number
  readonly requests: number
  readonly faults: number
  readonly violations: readonly Violation[]
  readonly seconds: number
}

export type Violation = { readonly seed: number; readonly text: string }

export type RunOptions = {
  readonly seed: number
  /** No round begins after this time. */
  readonly minutes: number
  readonly rounds: number
  readonly planted?: string | undefined
  /** Milliseconds, from a clock that never goes back. */
  readonly clock: () => number
  readonly stopped: AbortSignal
  readonly onProgress: (outcome: Outcome, note: string) => void
}

/** A campaign ends after this many violations: each round would repeat them. */
const ENOUGH = 10

/** A round that throws counts as a violation, and the next round gets new servers. */
export async function runCampaign(campaign: Campaign, options: RunOptions): Promise<Outcome> {
  const { seed, minutes, rounds, planted, clock, stopped, onProgress } = options
  const begun = clock()
  let outcome: Outcome = { campaign: campaign.name, seed, ...NOTHING }
  const tell = (note: string) => {
    onProgress({ ...outcome, seconds: (clock() - begun) / 1000 }, note)
  }
  const isOver = () =>
    stopped.aborted ||
    outcome.rounds >= rounds ||
    outcome.violations.length >= ENOUGH ||
    clock() - begun >= minutes * 60_000
  let bench: Bench | undefined
  try {
    while (!isOver()) {
      bench ??= await campaign.open({ planted, note: tell })
      const round = await played(bench, seed + outcome.rounds)
      if (stopped.aborted) break
      outcome = sumOf(outcome, round, (clock() - begun) / 1000)
      tell('')
      if (round.violations.length === 0) continue
      await bench.close()
      bench = undefined
    }
  } finally {
    await bench?.close()
  }
  return outcome
}

const NOTHING = { rounds: 0, requests: 0, faults: 0, violations: [], seconds: 0 }

async function played(bench: Bench, seed: number): Promise<Round> {
  try {
    return await bench.round(seed)
  } catch (error) {
    return {
      requests: 0,
      faults: 0,
      violations: [error instanceof Error ? String(error.stack) : String(error)],
    }
  }
}

function sumOf(sum: Outcome, round: Round, seconds: number): Outcome {
  const seed = sum.seed + sum.rounds
  return {
    ...sum,
    seconds,
    rounds: sum.rounds + 1,
    requests: sum.requests + round.requests,
    faults: sum.faults + round.faults,
    violations: [...sum.violations, ...round.violations.map((text) => ({ seed, text }))],
  }
}
