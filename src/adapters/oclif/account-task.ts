import { Args, Command } from '@oclif/core'
import { DEBUG_FLAG } from './flags.js'
import type { OpenCommandContext, CommandContext } from './command-context.js'
import { runTask } from './task.js'

const ARGS = {
  email: Args.string({ description: 'email of the account', required: true, ignoreStdin: true }),
}

/** What differs between the commands that take an email and nothing else. */
export type AccountTask = {
  readonly summary: string
  readonly description: string
  readonly examples: string[]
  /** Whether it ends the account's logins. */
  readonly endsLogins?: boolean
  readonly work: (operation: CommandContext, email: string) => Promise<object>
}

export function createAccountTask(open: OpenCommandContext, task: AccountTask): Command.Class {
  return class AccountTaskCommand extends Command {
    static override summary = task.summary
    static override description = task.description
    static override examples = task.examples
    static override args = ARGS
    static override flags = DEBUG_FLAG

    async run(): Promise<void> {
      const { args, flags } = await this.parse({ args: ARGS, flags: DEBUG_FLAG })
      await runTask(this, { open, ...flags }, async (operation) => {
        const result = await task.work(operation, args.email)
        if (task.endsLogins) noteOutlivingTokens(this, operation)
        return result
      })
    }
  }
}

/**
 * Says so where access tokens stay good although the logins behind them were just ended: stateless
 * mode without revocations. An operator who locks an account must be told so here.
 */
export function noteOutlivingTokens(command: Command, { accessTokensOutlive }: CommandContext): void {
  if (accessTokensOutlive === undefined) return
  const seconds = accessTokensOutlive / 1000
  command.logToStderr(
    `Access tokens that were issued before stay good until they expire, ${seconds} s at most; ` +
      'STATELESS_REVOCATION=store would end them at once.',
  )
}
