import { until } from '../cli/workers.js'
import type { Served } from '../support/http/browser.js'
import { createAccountClient, type OwnAccount } from './account-client.js'
import { NotAllowed, type Journal } from './journal.js'
import { createPetClient } from './pet-client.js'
import { randomOf, type Random } from './random.js'

/** A client that shares no data with other clients, and knows the correct state of its data after each reply. */
export type LoadClient = {
  /** Sends one request, or a few requests that belong together. */
  step(): Promise<void>
  readBack(): Promise<number>
}

export type Scene = {
  readonly service: Served
  readonly random: Random
  readonly prefersEnds: () => boolean
  /** Whether the service can change passwords and pets. */
  readonly allowsChanges: boolean
}

export type Cast = { readonly accounts: readonly OwnAccount[]; readonly apiKeys: readonly string[] }

export type Load = ReturnType<typeof startLoad>

type LoadOptions = {
  readonly journal: Journal
  readonly cast: Cast
  readonly seed: number
  readonly service: Served
  /** Occurs in every name of this round, and in no other names. */
  readonly round: string
  readonly allowsChanges?: boolean
}

export function startLoad(options: LoadOptions) {
  const { journal, cast, seed, service, round, allowsChanges = true } = options
  let [ending, prefersEnds] = [false, false]
  const common = { service, allowsChanges, prefersEnds: () => prefersEnds }
  const scene = (n: number): Scene => ({ ...common, random: randomOf(seed + n) })
  const clients = [
    ...cast.accounts.map((account, n) =>
      createAccountClient(scene(n), journal.actor(account.email), account),
    ),
    ...cast.apiKeys.map((key, n) =>
      createPetClient(scene(1000 + n), journal.actor(`pets-${String(n)} of ${round}`), key),
    ),
  ].map((client) => ({ client, steps: 0, failed: false }))
  type Runner = (typeof clients)[number]

  async function allowed(runner: Runner, work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => {
      runner.failed = true
      if (!(error instanceof NotAllowed)) journal.violations.push(String((error as Error).stack))
    })
  }
  const running = clients.map(async (runner) => {
    while (!ending && !runner.failed) {
      await allowed(runner, () => runner.client.step())
      runner.steps += 1
    }
  })
  return {
    /** Resolves after this many further steps by all clients together, and at least one step by each client. */
    steps: async (count: number) => {
      const before = clients.map(({ steps }) => steps)
      const done = () => clients.map(({ steps }, n) => steps - (before[n] ?? 0))
      const sum = () => done().reduce((all, one) => all + one, 0)
      await until(() => {
        const isMoving = done().every((steps, n) => steps > 0 || clients[n]?.failed)
        return (isMoving && sum() >= count) || clients.every(({ failed }) => failed)
      })
    },
    /** Sets whether clients mostly log out and remove data, so that the test detects the loss of such a change. */
    prefersEnds: (now: boolean) => {
      prefersEnds = now
    },
    /** Stops all clients, and then compares the stored data with the state that each client expects. */
    end: async () => {
      ending = true
      await Promise.all(running)
      await Promise.all(
        clients.map(async (runner) => {
          if (runner.failed) return
          await allowed(runner, async () => (journal.checked += await runner.client.readBack()))
        }),
      )
    },
  }
}
