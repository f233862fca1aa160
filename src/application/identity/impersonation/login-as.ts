import type { Identity } from '../../../domain/access/caller.js'
import { shownEmail, type Account, type AccountId } from '../../../domain/identity/account.js'
import type { Milliseconds } from '../../../domain/instant.js'
import { refuse, Refusal } from '../../../domain/refusal.js'
import type { AuditEntry } from '../../audit/audit-trail.js'
import { id, optional, text } from '../../fields.js'
import { identityOperation } from '../identity-operation.js'
import type { Issued } from '../issue.js'
import { loginFailed } from '../login.js'
import { assertLogin, type LoggedIn } from '../own-account.js'
import type { GivenParts } from '../part-types.js'
import { formParser } from '../presented.js'
import { factorRequired } from '../second-factor/prove-factor.js'
import { withAudit, type NextLogin } from './replace-login.js'

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
  /** The maximum duration in milliseconds. */
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
