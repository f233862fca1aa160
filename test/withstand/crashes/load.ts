import { until } from '../../cli/workers.js'
import type { CrashClient } from './clients/client.js'
import { NotAllowed, type Journal } from './journal.js'

/** All clients at once, each with one request under way. */
export type Load = {
  /** Resolves when all together have done so many more steps, and each that goes on at least one. */
  steps(more: number): Promise<void>
  /** Resolves when each has ended its last step. */
  end(): Promise<void>
}

type Runner = { readonly client: CrashClient; steps: number; isOver: boolean }

export function startLoad(clients: readonly CrashClient[], journal: Journal): Load {
  const runners: Runner[] = clients.map((client) => ({ client, steps: 0, isOver: false }))
  let isEnding = false
  const running = runners.map(async (runner) => {
    await allowed(journal, async () => {
      while (!isEnding && (await runner.client.step())) runner.steps += 1
    })
    runner.isOver = true
  })
  return {
    steps: async (more) => {
      const before = runners.map(({ steps }) => steps)
      const done = () =>
        runners.map(({ steps, isOver }, place) => ({ isOver, steps: steps - (before[place] ?? 0) }))
      await until(() => {
        const isMoving = done().every(({ isOver, steps }) => isOver || steps > 0)
        const sum = done().reduce((total, { steps }) => total + steps, 0)
        return isMoving && (sum >= more || runners.every(({ isOver }) => isOver))
      })
    },
    end: async () => {
      isEnding = true
      await Promise.all(running)
    },
  }
}

/** What is not allowed is in the journal already; whatever else is thrown is put there. */
export async function allowed(journal: Journal, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof NotAllowed) return
    journal.violations.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}
