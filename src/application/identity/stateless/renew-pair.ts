import { ANONYMOUS } from '../../../domain/access/caller.js'
import { shownEmail, type Account } from '../../../domain/identity/account.js'
import type { Claims } from '../../../domain/identity/claims.js'
import type { Instant } from '../../../domain/instant.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { Randomness } from '../../../ports/randomness.js'
import type { Revocations } from '../../../ports/revocations.js'
import type { AuditTrail } from '../../audit/audit-trail.js'
import type { ClientContext } from '../../client-context.js'
import type { Notices } from '../../mail/notices.js'
import { pairOf, type Issued } from '../issue.js'
import { lastMoment } from './carried-login.js'
import {
  createSignPair,
  freshPair,
  type IssuePair,
  type PairedLogin,
  type SignPairParts,
} from './issue-pair.js'

/** The next pair of a login, for a refresh token that was found good and whose account lets the login live. */
export type RenewPair = (renewal: {
  readonly account: Account
  readonly login: PairedLogin
  /** Of the refresh token that was presented. */
  readonly claims: Claims
  readonly client: ClientContext | undefined
  readonly at: Instant
}) => Promise<Issued>

/** Where tokens cannot be taken back: nothing is stored of the token, so the same one works again until it expires. */
export function createIssueNextPair({ issuePair }: { readonly issuePair: IssuePair }): RenewPair {
  return async ({ account, login, at }) => await issuePair(account, login, at)
}

/** What the rotation of pairs is made of. `lifetimes` are those that the tokens are issued with. */
export type RotatePairParts = SignPairParts & {
  revocations: Revocations
  randomness: Randomness
  notices?: Notices | undefined
  audit: AuditTrail
}

/**
 * Where tokens can be taken back: a refresh token is good for one successor. Again within the grace window it gets that
 * very pair, to the byte where the roles are the same; after it the login is revoked, which is audited as
 * `refresh.reuse`. Refuses with `invalid-token`, also a login that was revoked meanwhile.
 */
export function createRotatePair(parts: RotatePairParts): RenewPair {
  const signPair = createSignPair(parts)
  return async ({ account, login, claims, client, at }) => {
    const rotation = await parts.revocations.rotate({
      sessionId: login.sessionId,
      from: pairOf(claims),
      next: freshPair(parts, at),
      at,
      grace: parts.lifetimes.refreshGrace,
      until: lastMoment(login.endsAt),
    })
    if ('pairs' in rotation) return await signPair(account, login, rotation.pairs.current)
    if (rotation.kind === 'replayed') {
      const entry = { event: 'refresh.reuse', caller: ANONYMOUS, outcome: 'failure' } as const
      await parts.audit.record({ ...entry, subject: account.id, client })
      // An impersonation is its actor's login.
      const email = login.actor?.email ?? shownEmail(account)
      await parts.notices?.send('refresh-reuse', { email, client })
    }
    throw invalidToken(`refresh: ${rotation.kind}`)
  }
}
