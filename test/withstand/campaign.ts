/** The result of one round. */
export type Round = {
  /** Definite replies. */
  readonly requests: number
  /** Faults that were injected, or malformed requests. */
  readonly faults: number
  /** Everything that was not allowed, with the record of the client that saw it. */
  readonly violations: readonly string[]
}

/** The opened parts of a campaign: a service, servers, a proxy. */
export type Bench = {
  /** Some seconds of load and faults. All random choices follow from the seed; the timing does not. */
  round(seed: number): Promise<Round>
  close(): Promise<void>
}

export type BenchOptions = {
  /** The name of a planted bug. */
  readonly planted?: string | undefined
  /** Reports progress. */
  readonly note: (text: string) => void
}

/** One kind of fault on one store. */
export type Campaign = {
  readonly name: string
  readonly title: string
  /** Why it cannot run on this machine. */
  readonly missing?: () => string | undefined
  open(options: BenchOptions): Promise<Bench>
}
