import type { Account, AccountId } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import { RESET_TOKENS_MAX, type ResetDigest } from '../../domain/identity/reset-token.js'
import type { Instant } from '../../domain/instant.js'
import type { Accounts } from '../../ports/accounts.js'
import type { SyncPort } from '../../ports/wrap-port.js'
import { bumpEpoch, type State } from './state.js'

type PasswordResets = Pick<
  SyncPort<Accounts>,
  'issueResetToken' | 'holdsResetToken' | 'consumeResetToken' | 'resetTokenEnds'
>

export function memoryPasswordResets(state: State): PasswordResets {
  const { accounts, resetTokens } = state

  function resetTokensOf(id: AccountId) {
    return resetTokens.get(id) ?? []
  }

  /** The account whose password this token lets reset at the moment. */
  function resettable(email: Email, digest: ResetDigest, at: Instant): Account | undefined {
    const account = accounts.withEmail(email)
    if (!account || account.disabledAt !== undefined) return undefined
    const isInForce = resetTokensOf(account.id).some(
      (token) => token.digest === digest && token.epoch === account.epoch && at < token.until,
    )
    return isInForce ? account : undefined
  }

  return {
    issueResetToken(id, epoch, { digest, until, mailJobId }) {
      const account = accounts.get(id)
      if (account?.epoch !== epoch || account.disabledAt !== undefined) return 'changed'
      const others = resetTokensOf(id).filter((token) => token.mailJobId !== mailJobId)
      resetTokens.set(id, [...others, { digest, until, mailJobId, epoch }].slice(-RESET_TOKENS_MAX))
      return 'issued'
    },
    holdsResetToken: (email, digest, at) => resettable(email, digest, at) !== undefined,
    resetTokenEnds: (id) => resetTokensOf(id).map(({ until }) => until),
    consumeResetToken({ email, digest, at, hash }) {
      const before = resettable(email, digest, at)
      if (!before) return undefined
      bumpEpoch(state, { ...before, passwordHash: hash })
      resetTokens.delete(before.id)
      return before.id
    },
  }
}
