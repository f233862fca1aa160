/** Where the data are while a checker runs. */
export type CheckedStore = 'memory' | 'sqlite' | 'mongodb'

export type Counts = {
  /** Histories, or where there are none, rounds of requests, that were compared with what is allowed. */
  readonly histories: number
  /** Requests and calls that were sent in them. */
  readonly operations: number
  /** What was broken on purpose: processes killed, connections cut, requests malformed, disks filled. */
  readonly faults: number
}

/** What one round came to. */
export type Round = Counts & {
  /** What was not allowed, each as a text with the history, shrunk where that is possible; none where all is well. */
  readonly violations: readonly string[]
  /** Histories of which the search did not find out whether they are allowed; they are not among `histories`. */
  readonly undecided?: number
}

/** What a checker has opened: a store, servers, child processes, a proxy. */
export type Bench = {
  /**
   * One random history, or a few that belong together, with everything random drawn from the seed; the same seed is
   * the same history, as far as processes and networks allow. A round takes seconds, not minutes.
   */
  round(seed: number): Promise<Round>
  /** Ends what was opened and takes its data away. */
  close(): Promise<void>
}

export type BenchOptions = {
  readonly store: CheckedStore
  /** A name of `planted`: the bug is in what is checked. */
  readonly planted?: string
  /** A few words on what is under way, for the progress line. */
  readonly note: (text: string) => void
}

/** One kind of proof: tries what is promised in random rounds, and tells of each that is not allowed. */
export type Checker = {
  readonly name: string
  /** What it tries, as a line of a table. */
  readonly title: string
  readonly stores: readonly CheckedStore[]
  open(options: BenchOptions): Promise<Bench>
  /** Bugs that it finds when they are there, at least five: name, and what is wrong then. */
  readonly planted: Readonly<Record<string, string>>
  /** Why it cannot run on this machine, or nothing. */
  readonly missing?: () => string | undefined
}
