/** Removes the resources of tests, even after a failure. */
export type Leftovers = {
  add(takeAway: () => unknown): void
  /** The resources are removed in reverse order. */
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
