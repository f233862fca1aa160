import type { Account } from '../../../domain/identity/account.js'
import type { ClaimedActor, Claims, TokenKind } from '../../../domain/identity/claims.js'
import type { Actor, Lifetimes, SessionId } from '../../../domain/identity/session.js'
import type { Instant } from '../../../domain/instant.js'
import type { Randomness } from '../../../ports/randomness.js'
import type { TokenSigner } from '../../../ports/token-signer.js'
import { countedRoles, provenFactor, type FactorRoles } from '../factor-roles.js'
import { identityOf } from '../identity-of.js'
import type { Issued } from '../issue.js'

/** Signs a new pair for a login of this account, good from now to the login's end at the latest. */
export type IssuePair = (account: Account, login: PairedLogin, at: Instant) => Promise<Issued>

/** The login that a pair of tokens is for. */
export type PairedLogin = {
  readonly sessionId: SessionId
  readonly endsAt: Instant
  readonly actor?: Actor | undefined
  readonly factor?: true | undefined
}

/** For logins without sessions: what the tokens do not say is not kept anywhere. */
export function createIssuePair(parts: {
  tokens: TokenSigner
  lifetimes: Lifetimes
  randomness: Randomness
  /** None where every role counts in every login. */
  factorRoles?: FactorRoles | undefined
}): IssuePair {
  const { tokens, lifetimes, factorRoles } = parts
  return async (account, { sessionId, endsAt, ...login }, at) => {
    const { actor } = login
    const proven = { ...(actor && { actor }), ...(login.factor && { factor: login.factor }) }
    const factor = provenFactor(proven, account)
    const roles = countedRoles(account.roles, factor, factorRoles)
    const pair = parts.randomness.base64url(16)
    const sign = async (kind: TokenKind, lifetime: number): Promise<string> => {
      const [issuedAt, end] = [seconds(at), seconds(endsAt)]
      const claims: Claims = {
        kind,
        subject: account.id,
        sessionId,
        tokenId: `${pair}.${kind}`,
        issuedAt,
        // A token signed in the very last second still needs a lifetime.
        expiresAt: Math.max(Math.min(issuedAt + seconds(lifetime), end), issuedAt + 1),
        login: { email: account.email, roles, epoch: account.epoch, endsAt: end, ...(factor && { factor }) },
        ...(actor && { actor: claimedActor(actor) }),
      }
      const token = await tokens.sign(claims, tokens.currentKid)
      if (token === undefined) throw new Error('the current key is not in the ring')
      return token
    }
    const [accessToken, refreshToken] = await Promise.all([
      sign('access', lifetimes.accessToken),
      sign('refresh', lifetimes.refreshToken),
    ])
    const identity = identityOf({ account, session: { id: sessionId, endsAt, ...proven } }, factorRoles)
    return { identity, accessToken, refreshToken, endsAt }
  }
}

function claimedActor({ accountId, email, epoch, endsAt }: Actor): ClaimedActor {
  return { accountId, email, login: { epoch, endsAt: seconds(endsAt) } }
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
