import type { Command } from '@oclif/core'
import type { CommandContext } from './command-context.js'

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
