import { ANONYMOUS } from '../../../domain/access/caller.js'
import { shownEmail, type Account } from '../../../domain/identity/account.js'
import type { Claims } from '../../../domain/identity/claims.js'
import type { Instant } from '../../../domain/instant.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { ClientContext } from '../../client-context.js'
import { pairOf, type Issued } from '../issue.js'
import {
  createSignPair,
  freshPair,
  type IssuePair,
  type PairedLogin,
  type SignPairParts,
} from './issue-pair.js'
import { lastMoment } from './token-login.js'
import type { GivenShared } from '../../shared-parts.js'

/** Issues the next pair of a login. The caller must have checked the refresh token and the account. */
export type RenewPair = (renewal: {
  readonly account: Account
  readonly login: PairedLogin
  /** The claims of the presented refresh token. */
  readonly claims: Claims
  readonly client: ClientContext | undefined
  readonly at: Instant
}) => Promise<Issued>

/** Without revocations, the refresh token is not stored, so it works again until it expires. */
export function createIssueNextPair({ issuePair }: { readonly issuePair: IssuePair }): RenewPair {
  return async ({ account, login, at }) => await issuePair(account, login, at)
}

/** The dependencies needed to rotate pairs. */
export type RotatePairParts = SignPairParts & GivenShared<['revocations', 'randomness', 'notices', 'audit']>

/**
 * With revocations, a refresh token has exactly one successor. A second use within the grace window returns the same pair, byte for byte if
 * the roles are the same. A later use revokes the login and is audited as `refresh.reuse`. Refuses with `invalid-token`, even if the login
 * was revoked only after the call had begun.
 */
export function createRotatePair(parts: RotatePairParts): RenewPair {
  const signPair = createSignPair(parts)
  return async ({ account, login, claims, client, at }) => {
    const next = freshPair(parts, at)
    // The pair is signed before the rotation, because a refusal must not use up the refresh token.
    const issued = await signPair(account, login, next)
    const rotation = await parts.revocations.rotate({
      sessionId: login.sessionId,
      from: pairOf(claims),
      next,
      at,
      grace: parts.lifetimes.refreshGrace,
      until: lastMoment(login.endsAt),
    })
    if ('pairs' in rotation) {
      const { current } = rotation.pairs
      return current.pairId === next.pairId ? issued : await signPair(account, login, current)
    }
    if (rotation.kind === 'replayed') {
      const entry = { event: 'refresh.reuse', caller: ANONYMOUS, outcome: 'failure' } as const
      await parts.audit.record({ ...entry, subject: account.id, client })
      // An impersonation counts as a login of its actor.
      const email = login.actor?.email ?? shownEmail(account)
      await parts.notices?.send('refresh-reuse', { email, client })
    }
    throw invalidToken(`refresh: ${rotation.kind}`)
  }
}
