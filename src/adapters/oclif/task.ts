import { Errors, type Command, type Interfaces } from '@oclif/core'
import {
  command,
  STORE_FLAGS,
  type Commands,
  type CommandDeclaration,
  type TypedValues,
  UsageError,
  type CommandContext,
  type StoreCreation,
  type OpenCommandContext,
  type StoreFlag,
} from './command.js'
import { explain, isPrinted, type CommandMessage } from './errors.js'
import { createOutput, type Output, jsonLine, shownText } from './output.js'

/** The result of a command that saves something; `save` is the number of saved items. */
export type SaveResult = { readonly errors: readonly CommandMessage[]; readonly save: number }

export function savedResult(more: object = {}): SaveResult {
  return { errors: [], save: 1, ...more }
}

function notSaved(errors: readonly CommandMessage[]): SaveResult {
  return { errors, save: 0 }
}

export async function savedBy(work: Promise<unknown>): Promise<SaveResult> {
  await work
  return savedResult()
}

export type StoreFlags = StoreFlag & { readonly debug: boolean }

type Task<A extends TypedValues, F extends TypedValues> = CommandDeclaration<A, F> & {
  readonly creating?: StoreCreation
  readonly endsLogins?: boolean
  readonly work: (context: CommandContext, args: A, flags: F) => Promise<object>
}

export function task<A extends TypedValues, F extends TypedValues>({
  creating = 'never',
  endsLogins = false,
  work,
  ...described
}: Task<A, F>): Commands[string] {
  const flags = { ...described.flags, ...STORE_FLAGS } as Interfaces.FlagInput<F & StoreFlags>
  return command({ ...described, flags }, async (parts, args, flags, { open }) => {
    await runTask(parts, { open, creating, ...flags }, async (context) => {
      const document = await work(context, args, flags)
      if (endsLogins) noteOutlivingTokens(parts, context)
      return document
    })
  })
}

type StoreOpening = StoreFlags & {
  readonly open: OpenCommandContext
  readonly creating?: StoreCreation
}

/**
 * Runs one task and prints its JSON document. The exit status is 0 if the task succeeded, 1 (with the reasons) if nothing was saved, and 2
 * (without any output) for incorrect usage. A task that returns no document writes its output step by step; if it fails, the JSON output is
 * incomplete, so that no reader accepts it.
 */
export async function runTask(
  command: Command,
  opening: StoreOpening,
  work: (context: CommandContext, output: Output) => Promise<unknown>,
  failed: (errors: readonly CommandMessage[], context: CommandContext | undefined) => object = notSaved,
): Promise<void> {
  const output = createOutput(process.stdout)
  await inCommandContext(
    command,
    opening,
    async (context) => {
      const document = await work(context, output)
      if (document instanceof Object) await output.write(`${jsonLine(document)}\n`)
      output.settle(command)
    },
    async (errors, context) => {
      if (output.isUsed()) {
        for (const error of errors) if (!isPrinted(error)) command.logToStderr(shownText(error.message))
      } else await output.write(`${jsonLine(failed(errors, context))}\n`)
      output.settle(command)
    },
  )
}

/**
 * Opens the store, runs `work`, and always closes the store. If the work fails, `failed` receives the reasons, and the exit status is 1.
 */
export async function inCommandContext(
  command: Command,
  { open, store, debug, creating = 'never' }: StoreOpening,
  work: (context: CommandContext) => Promise<void>,
  failed: (errors: readonly CommandMessage[], context: CommandContext | undefined) => Promise<void>,
): Promise<void> {
  let context: CommandContext | undefined
  try {
    await refusable(
      command,
      debug,
      async () => {
        context = await open({ store, creating, say: (line) => command.logToStderr(shownText(line)) })
        await work(context)
      },
      async (errors) => await failed(errors, context),
    )
  } finally {
    await context?.close()
  }
}

/** Runs `work`; if it is refused or fails, `failed` receives the reasons and the exit status is 1. */
export async function refusable(
  command: Command,
  debug: boolean,
  work: () => Promise<void>,
  failed: (errors: readonly CommandMessage[]) => Promise<void> | void = (errors) =>
    command.log(jsonLine(notSaved(errors))),
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Errors.ExitError || error instanceof UsageError) throw error
    await failed(explain(command, error, debug))
    command.exit(1)
  }
}

/** Operators who lock an account must know that its access tokens stay valid in stateless mode without revocations. */
export function noteOutlivingTokens(command: Command, { accessTokensOutlive }: CommandContext): void {
  if (accessTokensOutlive === undefined) return
  const seconds = accessTokensOutlive / 1000
  command.logToStderr(
    `Access tokens that were issued earlier stay valid until they expire, for ${seconds} s at most; ` +
      'STATELESS_REVOCATION=store would end them immediately.',
  )
}
