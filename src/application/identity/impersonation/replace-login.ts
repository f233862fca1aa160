import type { Identity } from '../../../domain/access/caller.js'
import type { Account } from '../../../domain/identity/account.js'
import type { Instant } from '../../../domain/instant.js'
import { invalidToken, refuse, type Refusal } from '../../../domain/refusal.js'
import type { Revocations } from '../../../ports/revocations.js'
import type { Sessions } from '../../../ports/sessions.js'
import type { BeginLogin } from '../begin-login.js'
import type { Issued } from '../issue.js'
import type { LoginTerms } from '../open-session.js'
import { lastMoment } from '../stateless/carried-login.js'

/** An identity that a login proved. */
export type LoggedIn = Identity & Required<Pick<Identity, 'sessionId' | 'epoch' | 'endsAt'>>

/**
 * Ends one login and begins another in its place: when it resolves the previous credentials are
 * void. Refuses with `invalid-token` where the login was ended by another call meanwhile.
 */
export type ReplaceLogin = (login: LoggedIn, next: NextLogin) => Promise<Issued>

/** The login that takes the place. */
export type NextLogin = LoginTerms & { readonly account: Account; readonly endsAt: Instant }

/** Of any number of calls with one session one goes on: ending it decides. */
export function createReplaceSession(parts: { sessions: Sessions; beginLogin: BeginLogin }): ReplaceLogin {
  return async (login, { account, ...next }) => {
    if ((await parts.sessions.end(login.sessionId)) === 'unknown') throw invalidToken('the session has ended')
    return await parts.beginLogin(account, next)
  }
}

/**
 * In stateless mode the previous tokens are revoked, and revoking them decides. Without revocations they stay good until
 * they expire: then nothing may hang on their end.
 */
export function createReplaceStateless(parts: {
  revocations?: Revocations | undefined
  beginLogin: BeginLogin
}): ReplaceLogin {
  return async (login, { account, ...next }) => {
    const outcome = await parts.revocations?.revoke(login.sessionId, lastMoment(login.endsAt))
    if (outcome === 'unchanged') throw invalidToken('the login was revoked')
    return await parts.beginLogin(account, next)
  }
}

/** What HTTP Basic or an embedder's own credential proves is no login that could be replaced. */
export function assertLogin(identity: Identity): LoggedIn {
  const { sessionId, epoch, endsAt } = identity
  if (sessionId === undefined || epoch === undefined || endsAt === undefined)
    throw invalidToken('the identity has no login')
  return { ...identity, sessionId, epoch, endsAt }
}

/**
 * A login of the account itself, for what concerns the account alone. Refuses with `forbidden` one who acts as another account.
 */
export function assertOwnLogin(identity: Identity): LoggedIn {
  const login = assertLogin(identity)
  if (login.actor) throw whileImpersonating()
  return login
}

export function whileImpersonating(): Refusal {
  return refuse('forbidden', 'Forbidden', 'This is not possible while you act as somebody else.')
}
