/** Acts that happen one after the other. */
export type Turns = {
  readonly inTurn: <T>(act: () => Promise<T>) => Promise<T>
  /** Resolves when all that began before has ended, well or not. */
  readonly free: () => Promise<unknown>
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return {
    inTurn: (act) => {
      const mine = last.then(act)
      last = mine.catch(() => undefined)
      return mine
    },
    free: () => last,
  }
}
