/** What tests have started and made, to be taken away again however far they came. */
export type Leftovers = {
  add(takeAway: () => unknown): void
  /** The last first. */
  clear(): Promise<void>
}

export function createLeftovers(): Leftovers {
  const steps: (() => unknown)[] = []
  return {
    add: (takeAway) => void steps.push(takeAway),
    clear: async () => {
      for (let step = steps.pop(); step; step = steps.pop()) await step()
    },
  }
}
