import type { CopyOutcome, CopyProgress } from '../../application/copy-store.js'
import type { Clock } from '../../ports/clock.js'
import type { Operations, OperatorUseCases } from '../../application/wiring.js'
import type { GivenPassword } from '../../application/accounts/hash-new-password.js'
import type { Retrying } from '../../application/retrying.js'
import type { Milliseconds } from '../../domain/instant.js'

/** Copies the store to the store that this URL names, in the form of DATABASE_URL; see `copyStore`. */
export type CopyTo = (input: {
  readonly url: string
  readonly onProgress: (progress: CopyProgress) => void
  readonly isStopped: () => boolean
  readonly retrying: Retrying
}) => Promise<CopyOutcome>

/** The use cases and values for one run of a command, from configuration to closed store. */
export type CommandContext = OperatorUseCases & {
  readonly purgeStore: Operations['purgeStore']
  /** Reads the text that was typed as a password; keeps a recognised hash unchanged. */
  readonly passwordOrHash: (text: string) => GivenPassword
  readonly clock: Clock
  readonly copyTo: CopyTo
  /** How long access tokens outlive their login, in milliseconds; absent if they end with it. */
  readonly accessTokensOutlive?: Milliseconds
  /** Key of the result of `user password`. */
  readonly userModelName: string
  /** Convenience defaults are off. */
  readonly production: boolean
  /** Whether the store was made by this command. */
  readonly isNew: boolean
  close(): Promise<void>
}

/** The module of a custom store, which replaces the store of the environment. */
export type StoreFlag = { readonly store?: string | undefined }

/** When a command creates a missing database file. */
export type Creating = 'never' | 'outside-production' | 'always'

/** How a command opens the store. */
export type OpenOptions = StoreFlag & {
  readonly creating: Creating
  /** Called with a line for the operator if the store was made. */
  readonly say: (line: string) => void
}

/**
 * Reads the configuration and opens the store. Rejects with `UsageError` if there is no store for commands, and with
 * `OperatorError` if the configuration or the store module is wrong. A use case that needs a missing port of the store
 * throws a `UsageError` when the command reads it.
 */
export type OpenCommandContext = (options: OpenOptions) => Promise<CommandContext>

/** Wrong usage: exit status 2 and nothing on standard output. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
