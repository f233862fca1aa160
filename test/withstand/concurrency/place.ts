import type { Client } from '../../support/http/client.js'
import type { Composed } from '../../support/use-cases.js'

/** Where histories are played: servers on one store, and an operator on the same one. */
export type Place = {
  readonly origins: readonly string[]
  /** A client of each origin. */
  readonly clients: readonly Client[]
  /** The use cases of an operator, in this process; its clock stands still, or tells the time as the servers' does. */
  readonly kennel: Pick<Composed, 'useCases' | 'store' | 'clock' | 'account'>
  readonly apiKey: string
  /** Whether the clocks of the servers stand still, where that of the operator does. */
  readonly clockStands: boolean
  /** A name that no other history of this place has. */
  readonly freshName: (prefix: string) => string
  close(): Promise<void>
}

/** So many attempts of one account from one network may fail; `LOGIN_LIMIT` of a service that is started. */
export const LOGIN_LIMIT = { count: 5, window: 15 * 60_000 }
