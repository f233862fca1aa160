import type { Journal } from '../journal.js'
import type { Line } from '../line.js'
import type { Operator } from '../operator.js'
import type { Random } from '../../random.js'

/** One client that does one thing after the other, and keeps a journal of what was sent, answered and lost. */
export type CrashClient = {
  /** One request that is drawn; false where there is nothing left to do. */
  step(): Promise<boolean>
  /** Reads everything that its journal tells of, and compares. */
  readBack(): Promise<void>
  /** Another server has just become the primary of the database. */
  onElection?(): void
}

export type ClientParts = {
  /** A line from an address that no other has. */
  readonly newLine: () => Line
  readonly operator: Operator
  readonly random: Random
  readonly journal: Journal
  /** Whether another server is becoming the primary of the database. */
  readonly mayForget: () => boolean
}

/** One after the other: the next where one has nothing left to do. */
export function inTurn(clients: readonly CrashClient[]): CrashClient {
  return {
    step: async () => {
      for (const client of clients) if (await client.step()) return true
      return false
    },
    readBack: async () => {
      for (const client of clients) await client.readBack()
    },
  }
}
