export type Round = {
  /** The number of requests with a known outcome. */
  readonly requests: number
  readonly faults: Readonly<Record<string, number>>
  /** The violations, each with the record of the client that observed it. */
  readonly violations: readonly string[]
}

/** The running parts of a campaign: a service, servers, a proxy. */
export type Bench = {
  /** Applies load and faults for some seconds. The seed determines all random choices, but not the timing. */
  round(seed: number): Promise<Round>
  readonly close: () => Promise<void>
}

export type BenchOptions = {
  readonly planted?: string | undefined
  /** The maximum number of faults in a round; by default the campaign decides. */
  readonly faults?: number | undefined
  readonly note: (text: string) => void
}

/** One kind of fault on one store. */
export type Campaign = {
  readonly name: string
  readonly bugs?: readonly string[]
  /** The reason why the campaign cannot run on this machine. */
  readonly missing?: () => string | undefined
  /** For an upgrade: whether instances can be replaced one by one, and whether they can return to the earlier release. */
  readonly needs?: string
  readonly open: (options: BenchOptions) => Promise<Bench>
}

export type Outcome = Round & {
  readonly campaign: string
  /** The seed of the first round; each later round uses the next seed. */
  readonly seed: number
  readonly rounds: number
  readonly seconds: number
}

export type RunOptions = {
  /** The npm script that repeats a round. */
  readonly command?: string
  readonly seed: number
  readonly rounds: number
  /** The number of minutes after which no further round begins. */
  readonly minutes?: number
  readonly planted?: string | undefined
  readonly faults?: number | undefined
  readonly stopped?: AbortSignal
  readonly onProgress?: (outcome: Outcome, note: string) => void
}

/** A campaign ends after this many violations, since each round would repeat them. */
const ENOUGH = 10

/** A round that throws counts as a violation, and the next round gets new servers. */
export async function runCampaign({ name, open }: Campaign, options: RunOptions): Promise<Outcome> {
  const { seed, rounds, minutes = Infinity, planted, faults } = options
  const again = (at: number) =>
    `npm run ${options.command ?? 'withstand'} -- --campaign ${name} --seed ${String(at)} --rounds 1`
  const begun = performance.now()
  const seconds = () => (performance.now() - begun) / 1000
  const isStopped = () => options.stopped?.aborted === true
  let sum: Outcome = { campaign: name, seed, rounds: 0, requests: 0, faults: {}, violations: [], seconds: 0 }
  const note = (text: string) => options.onProgress?.({ ...sum, seconds: seconds() }, text)
  const isOver = () =>
    sum.rounds >= rounds || sum.violations.length >= ENOUGH || seconds() >= minutes * 60 || isStopped()
  let bench: Bench | undefined
  try {
    while (!isOver()) {
      bench ??= await open({ planted, faults, note })
      const round = await bench.round(seed + sum.rounds).catch(asViolation)
      if (isStopped()) break
      sum = { ...added(sum, round, again(seed + sum.rounds)), seconds: seconds() }
      note('')
      if (round.violations.length === 0) continue
      await bench.close()
      bench = undefined
    }
  } finally {
    await bench?.close()
  }
  return sum
}

function asViolation(error: unknown): Round {
  return {
    requests: 0,
    faults: {},
    violations: [error instanceof Error ? String(error.stack) : String(error)],
  }
}

function added(sum: Outcome, { requests, faults, violations }: Round, again: string): Outcome {
  const names = Object.keys({ ...sum.faults, ...faults })
  return {
    ...sum,
    rounds: sum.rounds + 1,
    requests: sum.requests + requests,
    faults: Object.fromEntries(
      names.map((fault) => [fault, (sum.faults[fault] ?? 0) + (faults[fault] ?? 0)]),
    ),
    violations: [...sum.violations, ...violations.map((text) => `${text}\nAgain: ${again}`)],
  }
}
