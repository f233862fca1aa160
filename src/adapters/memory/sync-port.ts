/**
 * A port whose calls answer at once. A memory adapter is written in this form on purpose: a
 * step that cannot wait cannot be interrupted, so every call is atomic without a lock.
 */
export type SyncPort<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never
}

type Step = (...args: unknown[]) => unknown

/** The port made of these steps. `ensureOpen` runs before each of them and throws where it may not run. */
export function asPort<Port extends object>(steps: SyncPort<Port>, ensureOpen: () => void): Port {
  const calls = Object.entries<Step>(steps as Record<string, Step>).map(([name, step]) => [
    name,
    async (...args: unknown[]) => {
      ensureOpen()
      return step(...args)
    },
  ])
  return Object.fromEntries(calls) as Port
}
