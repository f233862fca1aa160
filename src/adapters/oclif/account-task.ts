import { Args, type Command } from '@oclif/core'
import type { OpenCommandContext, CommandContext } from './command-context.js'
import { createTask } from './create-task.js'

/** What differs between the commands that take an email and nothing else. */
export type AccountTask = {
  readonly summary: string
  readonly description: string
  readonly examples: string[]
  /** Whether it ends the account's logins. */
  readonly endsLogins?: boolean
  readonly work: (operation: CommandContext, email: string) => Promise<object>
}

export const EMAIL_ARG = Args.string({
  description: 'email of the account',
  required: true,
  ignoreStdin: true,
})

export function createAccountTask(open: OpenCommandContext, task: AccountTask): Command.Class {
  const { endsLogins, work, ...texts } = task
  return createTask(open, {
    ...texts,
    args: { email: EMAIL_ARG },
    work: async (operation, { email }, _flags, command) => {
      const result = await work(operation, email)
      if (endsLogins) noteOutlivingTokens(command, operation)
      return result
    },
  })
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
