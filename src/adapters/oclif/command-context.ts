import type { CopyOutcome, CopyProgress } from '../../application/copy-store.js'
import type { Authorize } from '../../application/access/authorize.js'
import type { Clock } from '../../ports/clock.js'
import type { Operations, OperatorUseCases } from '../../application/wiring.js'
import type { GivenPassword } from '../../application/accounts/hash-new-password.js'
import type { Retrying } from '../../application/retrying.js'
import type { Milliseconds } from '../../domain/instant.js'

/** Copies the store to the one that this URL (as DATABASE_URL has it) names; see `copyStore`. */
export type CopyTo = (input: {
  readonly url: string
  readonly onProgress: (progress: CopyProgress) => void
  readonly isStopped: () => boolean
  readonly retrying: Retrying
}) => Promise<CopyOutcome>

/** What one run of a command works with, from configuration to closed store. */
export type CommandContext = OperatorUseCases & {
  readonly purgeStore: Operations['purgeStore']
  /** What was typed in the place of a password: a recognised hash is kept as it is. */
  readonly passwordOrHash: (text: string) => GivenPassword
  readonly clock: Clock
  readonly copyTo: CopyTo
  /** How long access tokens stay good after their login was ended, in milliseconds; none where they do not. */
  readonly accessTokensOutlive?: Milliseconds
  /** Key of the result of `user password`. */
  readonly userModelName: string
  /** Conveniences are off. */
  readonly production: boolean
  /** Whether the store was made by this command. */
  readonly isNew: boolean
  close(): Promise<void>
}

/** The module of a store of the operator's own, in the place of the one that the environment names. */
export type StoreFlag = { readonly store?: string | undefined }

/** Whether a command makes a database file that does not exist. */
export type Creating = 'never' | 'outside-production' | 'always'

/** How a command opens the store. */
export type OpenOptions = StoreFlag & {
  readonly creating: Creating
  /** Called with a line for the operator if the store was made. */
  readonly say: (line: string) => void
}

/**
 * Reads the configuration and opens the store. Rejects with `UsageError` where there is no store
 * to talk to, with `OperatorError` where the configuration is wrong or the store module does not do. Of a store that lacks
 * a port the use cases that need it throw a `UsageError` as soon as they are asked for.
 */
export type OpenCommandContext = (options: OpenOptions) => Promise<CommandContext>

/** An absolute path of an argument, which is relative to the folder in which the command was typed; `-` stays as it is. */
export type TypedPath = (path: string) => string

/** The permission configuration alone, for what needs no store. Rejects with `OperatorError` where the configuration is wrong. */
export type LoadAuthorize = () => Promise<Authorize>

/** Wrong usage: exit status 2 and nothing on standard output. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
