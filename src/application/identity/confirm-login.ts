import type { Account } from '../../domain/identity/account.js'
import type { RotationRequest } from '../../domain/identity/rotation.js'
import type { SessionKey } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { invalidToken } from '../../domain/refusal.js'
import { identityOperation } from './identity-operation.js'
import type { ReplaceLogin } from './impersonation/replace-login.js'
import type { Issue, Issued } from './issue.js'
import { OWN_PROOF_PARTS, ownLogin, ownProof, provenAccount, type LoggedIn } from './own-account.js'
import type { GivenParts } from './part-types.js'
import type { CheckedCredentials } from './presented.js'
import { currentKey, rotateSession, type RotateSessionParts } from './refresh.js'

const PARTS = [...OWN_PROOF_PARTS, 'renewLogin', 'clock'] as const
type Parts = GivenParts<typeof PARTS, ['proveFactor']>

/**
 * Confirms that the owner of the login is present, so that the login meets the conditions of the permissions (`fresh`, `factor`) again.
 * Requires the password, and a code if a second factor is active. The login gets new credentials and keeps its ID and its end (in stateless
 * mode, the ID changes). Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or lacks the permission `auth: confirm`;
 * - `malformed`: the password or the code is not a string;
 * - the codes of `provenAccount`;
 * - `invalid-token`: the login has ended in the meantime.
 *
 * Each confirmation is audited, and so is each failure caused by the password or the code.
 */
export const confirmLogin = identityOperation({
  permission: ['auth', 'confirm'],
  input: ownProof,
  parts: PARTS,
  optional: ['proveFactor'],
  run:
    (parts: Parts, checks) =>
    async (input): Promise<Issued> => {
      const since = parts.clock()
      const own = await ownLogin(parts, input, checks)
      const { caller, client } = own
      const account = await provenAccount(parts, own, 'login.confirm')
      const issued = await parts.renewLogin(caller, {
        account,
        presented: input.presented,
        since,
        at: parts.clock(),
      })
      await parts.audit.record({ event: 'login.confirm', caller, subject: caller.accountId, client })
      return issued
    },
})

/** Issues new credentials for a login whose owner has just proved the password and, if the account has one, the second factor. */
export type RenewLogin = (login: LoggedIn, confirmed: Confirmed) => Promise<Issued>

type Confirmed = {
  readonly account: Account
  readonly presented: CheckedCredentials
  /** When the call began. */
  readonly since: Instant
  /** When the proof was checked. */
  readonly at: Instant
}

function confirmationOf({ account, at }: Confirmed): NonNullable<RotationRequest['confirmation']> {
  const { secondFactor: factor } = account
  return factor === undefined ? { proved: { at } } : { proved: { at, factorAt: at }, factor }
}

/** Refreshes can change the session while it is confirmed; each of these attempts means that one has. */
const MAX_TRIES = 10

/**
 * For logins with sessions: rotates the session, which keeps its ID. The tokens of the request become void like those of a refresh, so
 * another tab that refreshes with them gets the new pair. Concurrent confirmations with the same credentials get the same new pair.
 */
export function createRenewSession(parts: RenewSessionParts): RenewLogin {
  return async (login, confirmed) => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const outcome = await tryToRenew(parts, login, confirmed)
      if (outcome === 'ended') break
      if (outcome !== 'superseded') return outcome
    }
    throw invalidToken('the session has ended, or the cookie has become void')
  }
}

type RenewSessionParts = RotateSessionParts & { readonly issue: Issue }

async function tryToRenew(
  parts: RenewSessionParts,
  { sessionId, epoch }: LoggedIn,
  confirmed: Confirmed,
): Promise<Issued | 'superseded' | 'ended'> {
  const { presented, since, at } = confirmed
  const active = await parts.sessions.findById(sessionId, at)
  if (active?.account.epoch !== epoch) return 'ended'
  const { session } = active
  const key = presented.sessionKey as SessionKey
  const cookie = { key, digest: parts.sessionKeys.digest(key) }
  const isConfirmed = session.proved !== undefined && session.proved.at >= since
  const shared = isConfirmed ? currentKey(parts, session, cookie) : undefined
  if (shared) return await parts.issue(active, shared)
  const { client } = presented
  const presentation = {
    from: session.current.pairId,
    cookie,
    client,
    at,
    confirmation: confirmationOf(confirmed),
  }
  const { rotation, nextKey } = await rotateSession(parts, active, presentation)
  if (rotation.kind === 'rotated') return await parts.issue({ ...active, session: rotation.session }, nextKey)
  return rotation.kind === 'superseded' ? 'superseded' : 'ended'
}

/** For stateless mode, in which only a new login can have new credentials at once: the old login is revoked. */
export function createRenewStateless({ replaceLogin }: { readonly replaceLogin: ReplaceLogin }): RenewLogin {
  return async (login, confirmed) => {
    const { account, presented } = confirmed
    const { client } = presented
    return await replaceLogin(login, { account, client, endsAt: login.endsAt, ...confirmationOf(confirmed) })
  }
}
