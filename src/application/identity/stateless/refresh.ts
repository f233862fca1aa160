import type { Account } from '../../../domain/identity/account.js'
import type { Claims } from '../../../domain/identity/claims.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { Accounts } from '../../../ports/accounts.js'
import type { Clock } from '../../../ports/clock.js'
import type { Revocations } from '../../../ports/revocations.js'
import type { TokenSigner } from '../../../ports/token-signer.js'
import type { Authorize } from '../../access/authorize.js'
import { identityOf } from '../authenticate.js'
import type { CheckAccessToken } from '../check-access-token.js'
import { checkRefreshTokens } from '../check-refresh-tokens.js'
import type { Refresh } from '../refresh.js'
import { carriedLogin, loginOf } from './carried-login.js'
import type { IssuePair } from './issue-pair.js'

export type StatelessRefreshParts = {
  checkAccessToken: CheckAccessToken
  authorize: Authorize
  tokens: TokenSigner
  accounts: Accounts
  issuePair: IssuePair
  clock: Clock
  revocations?: Revocations | undefined
}

/**
 * `Refresh` by the refresh token alone. The account is looked up, so that a new pair has its roles
 * of now, and refused where it is gone, disabled or had its password changed since. Nothing is
 * stored of the token, so the same one works again until it expires.
 */
export function createStatelessRefresh(parts: StatelessRefreshParts): Refresh {
  return async ({ refreshToken, presented }) => {
    const at = parts.clock()
    const claims = await checkRefreshTokens(parts, { refreshToken, presented, at })
    const { endsAt, epoch } = carriedLogin(claims)
    if (at >= endsAt * 1000) throw invalidToken('the login is over')
    const account = await parts.accounts.find(claims.subject)
    if (!isLiving(account, epoch)) throw invalidToken('the account is gone, disabled or in another epoch')
    await refuseRevoked(parts, claims, at)
    parts.authorize(identityOf(account, claims.sessionId), 'auth', 'refresh')
    return await parts.issuePair(account, { sessionId: claims.sessionId, endsAt: endsAt * 1000 }, at)
  }
}

function isLiving(account: Account | undefined, epoch: number): account is Account {
  return account?.disabledAt === undefined && account?.epoch === epoch
}

async function refuseRevoked(
  { revocations }: StatelessRefreshParts,
  claims: Claims,
  at: number,
): Promise<void> {
  if (await revocations?.isRevoked(loginOf(claims), at)) throw invalidToken('the login was revoked')
}
