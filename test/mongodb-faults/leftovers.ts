/** What tests have started and made, to be taken away again however far they came. */
export type Leftovers = {
  add(takeAway: () => Promise<unknown>): void
  /** The last first. */
  clear(): Promise<void>
}

export function createLeftovers(): Leftovers {
  const steps: (() => Promise<unknown>)[] = []
  return {
    add: (takeAway) => void steps.push(takeAway),
    clear: async () => {
      for (let step = steps.pop(); step; step = steps.pop()) await step()
    },
  }
}
