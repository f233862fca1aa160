import type { CopyOutcome, CopyProgress } from '../../application/copy-store.js'
import type { Clock } from '../../ports/system.js'
import type { Operations } from '../../application/wiring.js'
import type { GivenPassword } from '../../application/accounts/passwords.js'
import type { Retrying } from '../../application/retrying.js'
import type { Milliseconds } from '../../domain/instant.js'

/** Copies the store to the store at `url`, a URL in the format of DATABASE_URL; see `copyStore`. */
export type CopyTo = (input: {
  readonly url: string
  readonly onProgress: (progress: CopyProgress) => void
  readonly isStopped: () => boolean
  readonly retrying: Retrying
}) => Promise<CopyOutcome>

/** The use cases and values that one run of a command needs, available until the store is closed. */
export type CommandContext = Operations & {
  /** Converts text that was entered as a password; returns a recognized hash unchanged. */
  readonly passwordOrHash: (text: string) => GivenPassword
  readonly clock: Clock
  readonly copyTo: CopyTo
  /** How many milliseconds access tokens stay valid after their session has ended; absent if they end with the session. */
  readonly accessTokensOutlive?: Milliseconds
  /** Name of the property that contains the result of `user password` in its output. */
  readonly userModelName: string
  /** Whether the service runs in production, where commands have no convenience defaults. */
  readonly production: boolean
  /** Whether this command created the store. */
  readonly isNew: boolean
  close(): Promise<void>
}

/** The module of a custom store, which is used instead of the store that the environment configures. */
export type StoreFlag = { readonly store?: string | undefined }

/** Specifies when a command creates a missing database file. */
export type StoreCreation = 'never' | 'outside-production' | 'always'

/** Options that determine how a command opens the store. */
export type OpenOptions = StoreFlag & {
  readonly creating: StoreCreation
  /** Called with a line for the operator if the store was created. */
  readonly say: (line: string) => void
}

/**
 * Reads the configuration and opens the store. Rejects with a `UsageError` if no store is available to commands, and with an
 * `OperatorError` if the configuration or the store module is invalid. If a use case needs a port that the store does not provide,
 * accessing the use case throws a `UsageError`.
 */
export type OpenCommandContext = (options: OpenOptions) => Promise<CommandContext>

/** Error for incorrect usage, which causes exit status 2 and no output on standard output. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
