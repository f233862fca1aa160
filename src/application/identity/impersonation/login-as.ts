import type { Identity } from '../../../domain/access/caller.js'
import { shownEmail, type Account, type AccountId } from '../../../domain/identity/account.js'
import type { Milliseconds } from '../../../domain/instant.js'
import { defined } from '../../../domain/plain-data.js'
import { refuse, Refusal, invalidToken } from '../../../domain/refusal.js'
import type { AuditEntry } from '../../audit/audit-trail.js'
import { id, optional, text, fields } from '../../fields.js'
import { withAudit, type NextLogin } from '../begin-login.js'
import { identityOf, isActive } from '../identity-of.js'
import { identityOperation, type GivenParts } from '../identity-operation.js'
import type { Issued } from '../issue.js'
import { loginFailed } from '../login.js'
import { assertLogin, type LoggedIn } from '../own-account.js'
import { formParser, presentedInput } from '../presented.js'
import { factorRequired } from '../second-factor/prove-factor.js'

const OPTIONAL = ['secondFactors', 'proveFactor'] as const
const PARTS = [
  'authenticate',
  'permissions',
  'accounts',
  'replaceLogin',
  'audit',
  'clock',
  ...OPTIONAL,
] as const
type Parts = GivenParts<typeof PARTS, typeof OPTIONAL> & {
  readonly maxDuration: Milliseconds
}

/**
 * Begins to act as another account, with new credentials; the previous credentials become invalid. The caller has only the permissions of
 * the other account. The impersonation ends after `maxDuration` at the latest. The impersonation also ends when the actor's own login ends,
 * or with any event that ends the logins of either account. Requires an audit trail with a sink. Refuses the call with the first of these
 * codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller already acts as another account, or lacks the permission `auth: login-as`;
 * - `malformed`: `userId` is not a positive integer, or the code is not a string;
 * - `second-factor-required`: the caller's account has a second factor, and `code` is missing;
 * - `invalid`: `userId` is the caller's own account;
 * - `not-found`: there is no such account, or it is disabled;
 * - `forbidden`: the other account itself has the permission `auth: login-as`;
 * - `too-many-attempts`: too many codes were tried for the caller's account; `login-failed`: the code is wrong or was used before, as in a
 *   login;
 * - `unavailable`: the impersonation could not be audited.
 */
export const loginAs = identityOperation({
  permission: ['auth', 'login-as'],
  input: formParser({ userId: id<AccountId>(), code: optional(text) }),
  parts: PARTS,
  optional: OPTIONAL,
  renamed: { maxDuration: 'impersonationTtl' },
  run:
    (parts: Parts, { assertPermitted, read }) =>
    async (input): Promise<Issued> => {
      const { client } = input.presented
      const caller = assertLogin(await parts.authenticate(input.presented))
      if (caller.actor) throw refuse('forbidden', 'Forbidden', 'You are already acting as another account.')
      assertPermitted(caller)
      const { userId, code } = read(input)
      const prove = await stepUp(parts, caller, code)
      if (userId === caller.accountId) throw ofUserId('invalid', 'NotValid', 'This is your own account.')
      const account = await targetOf(parts, userId)
      const entry = { event: 'impersonation.start', caller, subject: userId, client } as const
      const factor = await prove(entry)
      const next = { account, client, factor, ...termOf(parts, caller) }
      return await withAudit(parts.audit, entry, () => parts.replaceLogin(caller, next))
    },
})

/**
 * Resolves with a function to call once the other account is known; the function verifies the caller's second factor, or does nothing if no
 * factor is active. Refuses immediately if a code is required but missing.
 */
async function stepUp(
  { secondFactors, proveFactor, audit }: Parts,
  { accountId: id, email }: LoggedIn,
  code: string | undefined,
): Promise<(entry: AuditEntry) => Promise<NextLogin['factor']>> {
  const found = await secondFactors?.find(id)
  if (found?.activeSince === undefined) return () => Promise.resolve(undefined)
  if (!code) throw factorRequired()
  return async (entry) => {
    const factor = await proveFactor?.({ id, email }, code, entry.client)
    if (factor !== undefined) return factor
    await audit.record({ ...entry, outcome: 'failure' })
    throw loginFailed('code')
  }
}

function termOf({ clock, maxDuration }: Parts, { accountId, email, epoch, endsAt }: LoggedIn) {
  return { endsAt: Math.min(clock() + maxDuration, endsAt), actor: { accountId, email, epoch, endsAt } }
}

async function targetOf({ accounts, permissions }: Parts, id: AccountId): Promise<Account> {
  const account = await accounts.find(id)
  if (!account || account.disabledAt !== undefined)
    throw ofUserId('not-found', 'NotFound', 'There is no such account, or it is disabled.')
  const target: Identity = {
    kind: 'account',
    accountId: id,
    email: shownEmail(account),
    roles: account.roles,
  }
  if (permissions.allows(target, 'auth', 'login-as'))
    throw ofUserId('forbidden', 'Forbidden', 'You cannot act as an administrator.')
  return account
}

function ofUserId(
  code: 'invalid' | 'not-found' | 'forbidden',
  type: 'NotValid' | 'NotFound' | 'Forbidden',
  message: string,
): Refusal {
  return new Refusal(code, [{ field: 'userId', type, message }])
}

/** A time so early that no permission accepts it as a recent proof. */
const NEVER = { at: 0 }

/**
 * Stops acting as another account and begins a new login for the actor, with the end time of the actor's previous login. The credentials of
 * the impersonation become invalid. The actor's permissions apply, not the permissions of the impersonated account. Refuses in the same
 * cases as `Authenticate`. Also refuses with `forbidden` if there is no impersonation or the actor lacks the permission `auth: logout-as`,
 * and with `unavailable` if the audit fails.
 */
export const logoutAs = identityOperation({
  permission: ['auth', 'logout-as'],
  input: fields({ presented: presentedInput }),
  parts: ['authenticate', 'accounts', 'replaceLogin', 'audit', 'factorRoles'],
  run:
    (parts, { assertPermitted }) =>
    async ({ presented }): Promise<Issued> => {
      const { client } = presented
      const caller = assertLogin(await parts.authenticate(presented))
      const { actor, sessionId: id, factorSince: factor } = caller
      if (!actor) throw refuse('forbidden', 'Forbidden', 'You are not acting as another account.')
      const { endsAt } = actor
      const account = await parts.accounts.find(actor.accountId)
      // If the actor's account has changed since the session was read, the actor's login has ended by now.
      if (!isActive(account, actor.epoch)) throw invalidToken('the login of the actor has ended')
      const session = { id, endsAt, ...defined({ factor }) }
      assertPermitted(identityOf({ account, session }, parts.factorRoles))
      const entry = { event: 'impersonation.end', caller, subject: caller.accountId, client } as const
      // Ending an impersonation does not prove the actor's identity, so actions with conditions need a confirmation.
      const next = { account, client, endsAt, factor, proved: NEVER }
      return await withAudit(parts.audit, entry, () => parts.replaceLogin(caller, next))
    },
})
