/** What all clients of one round have done, and what of it was not allowed. */
export type Journal = {
  operations: number
  /** Things that were followed from their first request to the last reading. */
  histories: number
  readonly violations: string[]
}

export function createJournal(): Journal {
  return { operations: 0, histories: 0, violations: [] }
}

/** Something was seen that is not allowed; who has seen it has nothing to go on with. */
export class NotAllowed extends Error {}

/**
 * Everything that may be the case with one thing, such as an account: one state, until the answer to a request is lost. From then
 * on there is one in which it was done, and one in which it was not, until something is seen that only one of them allows.
 */
export type Possible<State> = {
  states(): readonly State[]
  /** It was answered: what comes of each state, `undefined` where this answer cannot come. */
  done(what: string, apply: (state: State) => State | undefined): void
  /** Something was read: the states in which this can be read. */
  seen(what: string, holds: (state: State) => boolean): void
  /** The answer is lost: besides each state there is now also what would have come of it. */
  lost(what: string, apply: (state: State) => State | undefined): void
  /** What may be the case as well. */
  also(what: string, more: readonly State[]): void
}

const LINES = 25

/** States are plain data: two with the same text are one. */
export function createPossible<State>(journal: Journal, name: string, first: State): Possible<State> {
  let states: readonly State[] = [first]
  const lines: string[] = []
  journal.histories += 1
  const become = (what: string, next: readonly (State | undefined)[]) => {
    const texts = new Set(next.filter((state) => state !== undefined).map((state) => JSON.stringify(state)))
    const left = [...texts].map((text) => JSON.parse(text) as State)
    lines.push(`  ${what}: ${[...texts].join(' or ') || 'IMPOSSIBLE'}`)
    if (left.length === 0) refuse(journal, `${name}, what may be the case after each answer:`, lines)
    states = left
  }
  return {
    states: () => states,
    done: (what, apply) => {
      become(what, states.map(apply))
    },
    seen: (what, holds) => {
      become(
        what,
        states.filter((state) => holds(state)),
      )
    },
    lost: (what, apply) => {
      become(`${what}, answer lost`, [...states, ...states.map(apply)])
    },
    also: (what, more) => {
      become(what, [...states, ...more])
    },
  }
}

function refuse(journal: Journal, title: string, lines: readonly string[]): never {
  const text = [title, ...lines.slice(-LINES)].join('\n')
  journal.violations.push(text)
  throw new NotAllowed(text)
}
