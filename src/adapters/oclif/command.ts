import { Args, Command, Errors, Flags, type Interfaces } from '@oclif/core'
import type { ImportAtStart } from '../../application/accounts/import-users.js'
import type { Authorize } from '../../application/access/authorize.js'
import type { Clock } from '../../ports/system.js'
import type { Upgrades } from '../upgrades.js'
import { flagsError } from './misspelt.js'
import { shownText } from './output.js'
import type { CopyOutcome, CopyProgress } from '../../application/copy-store.js'
import type { Operations } from '../../application/wiring.js'
import type { GivenPassword } from '../../application/accounts/passwords.js'
import type { Retrying } from '../../application/retrying.js'
import type { Milliseconds } from '../../domain/instant.js'

/** Copies this store to the store at `url`, which has the format of DATABASE_URL; see `copyStore`. */
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
  readonly userModelName: string
  /** Whether the service runs in production, where commands have no convenience defaults. */
  readonly production: boolean
  readonly isNew: boolean
  close(): Promise<void>
}

/** The module of a custom store, which is used instead of the store that the environment configures. */
export type StoreFlag = { readonly store?: string | undefined }

export type StoreCreation = 'never' | 'outside-production' | 'always'

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

export type CommandParts = {
  readonly open: OpenCommandContext
  /** For commands that check permissions before they open a store. Rejects with an `OperatorError` if the configuration is invalid. */
  readonly loadAuthorize: (options?: StoreFlag) => Promise<Authorize>
  /** Runs `importing` before the service replies to any request. `stop` drains the service and resolves when the store is closed. */
  readonly start: (
    options: StoreFlag & { readonly importing?: ImportAtStart; readonly create: boolean },
  ) => Promise<{ stop(): Promise<void> }>
  /** Resolves with the warnings about the configuration; rejects with an `OperatorError` that lists all errors. Opens no store. */
  readonly checkConfiguration: (options: StoreFlag) => Promise<readonly string[]>
  /** Rejects with a `UsageError` if the configured store is not one of the built-in stores. */
  readonly openUpgrades: (options: StoreFlag) => Promise<Upgrades>
  readonly clock: Clock
  readonly generatePassphrase: () => Promise<string>
  /** Resolves a path argument against the user's working directory; `-` stays unchanged. */
  readonly typedPath: (path: string) => string
}

/** Factories of commands, keyed by command ID. */
export type Commands = Readonly<Record<string, (parts: CommandParts) => Command.Class>>

export type TypedValues = Record<string, unknown>

export type CommandDeclaration<A extends TypedValues, F extends TypedValues> = {
  readonly summary: string
  readonly description: string
  readonly examples: string[]
  readonly args?: Interfaces.ArgInput<A>
  readonly flags?: Interfaces.FlagInput<F>
}

type Run<A extends TypedValues, F extends TypedValues> = (
  command: Command,
  args: A,
  flags: F,
  parts: CommandParts,
) => Promise<void>

/** Defines a command; `run` receives the typed arguments and flags. A `UsageError` ends the command with exit status 2. */
export function command<A extends TypedValues, F extends TypedValues>(
  { summary, description, examples, args, flags }: CommandDeclaration<A, F>,
  run: Run<A, F>,
): Commands[string] {
  const declared = {
    args: args ?? ({} as Interfaces.ArgInput<A>),
    flags: flags ?? ({} as Interfaces.FlagInput<F>),
  }
  return (parts) =>
    class extends Command {
      static override summary = summary
      static override description = description
      static override examples = examples
      static override args = declared.args
      static override flags = declared.flags

      async run(): Promise<void> {
        const typed = await this.parse(declared).catch((error: unknown) => {
          throw withSuggestion(error, Object.keys(declared.flags))
        })
        try {
          await run(this, typed.args, typed.flags, parts)
        } catch (error) {
          if (error instanceof UsageError) this.error(shownText(error.message), { exit: 2 })
          throw error
        }
      }
    }
}

/** oclif does not export its error class for unknown flags. */
function withSuggestion(error: unknown, known: readonly string[]): unknown {
  if (!(error instanceof Errors.CLIError) || !('flags' in error)) return error
  error.message = `${flagsError(error.flags as readonly string[], known)}\nSee more help with --help`
  return error
}

export const argument = (description: string) =>
  Args.string({ description, required: true, ignoreStdin: true })

export const EMAIL_ARG = argument('email or id of the account')

export const booleanFlag = (description: string) => Flags.boolean({ description })

export const JSON_FLAG = { json: booleanFlag('print JSON even if the output is a terminal') }

/** The flag that every command has. */
export const DEBUG_FLAG = {
  debug: Flags.boolean({ description: 'show the stack trace of an unexpected error', helpGroup: 'GLOBAL' }),
}

/** The flags of every command that uses the store. */
export const STORE_FLAGS = {
  store: Flags.string({
    description:
      'module that opens a custom store: a path or a package; overrides STORE_MODULE and DATABASE_URL',
    helpGroup: 'GLOBAL',
    helpValue: 'MODULE',
    parse: async (text) => {
      // With an empty value, the command would use the store that the environment configures.
      if (text === '')
        throw new Errors.CLIError('--store requires the path of a module or the name of a package')
      return await Promise.resolve(text)
    },
  }),
  ...DEBUG_FLAG,
}
