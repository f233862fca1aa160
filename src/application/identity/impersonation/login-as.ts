import type { Identity } from '../../../domain/access/caller.js'
import type { Permissions } from '../../../domain/access/permissions.js'
import { shownEmail, type Account, type AccountId } from '../../../domain/identity/account.js'
import type { Milliseconds } from '../../../domain/instant.js'
import { MUST_BE, REQUIRED } from '../../../domain/messages.js'
import { isPositiveInteger } from '../../../domain/positive-integer.js'
import { refuse, Refusal } from '../../../domain/refusal.js'
import type { Accounts } from '../../../ports/accounts.js'
import type { Clock } from '../../../ports/clock.js'
import type { SecondFactors } from '../../../ports/second-factors.js'
import type { Authorize } from '../../access/authorize.js'
import type { AuditEntry, AuditTrail } from '../../audit/audit-trail.js'
import { textField } from '../../fields.js'
import type { Authenticate } from '../authenticate.js'
import type { Issued } from '../issue.js'
import { loginFailed } from '../login.js'
import type { CheckedCredentials } from '../presented.js'
import { factorRequired, type ProveFactor } from '../second-factor/prove-factor.js'
import { assertLogin, type LoggedIn, type NextLogin, type ReplaceLogin } from './replace-login.js'

/**
 * Begins to act as another account: new credentials at once, the previous ones are void. Permissions are
 * those of the other account alone. It ends after `maxDuration` at the latest, with the end of the
 * actor's own login, and with whatever ends either account's logins. Nothing happens off the
 * record. In this order it refuses with
 * - `invalid-token`, `unauthenticated`: as `Authenticate`;
 * - `malformed`: `userId` is no positive integer, or the code is not text;
 * - `forbidden`: the caller acts as another account already, or is not permitted `auth: login-as`;
 * - `second-factor-required`: the caller's account has a second factor, and no `code` came;
 * - `invalid`: oneself;
 * - `not-found`: no such account, or it is disabled;
 * - `forbidden`: the other account is permitted `auth: login-as` itself;
 * - `too-many-attempts`: of codes of the caller's account; `login-failed`: the code is wrong or was used, as at a login;
 * - `unavailable`: it could not be audited.
 */
export type LoginAs = (input: {
  userId: unknown
  /** Of the caller's second factor, where the caller's account has one, however it has logged in. */
  code?: unknown
  presented: CheckedCredentials
}) => Promise<Issued>

/** What acting as another account is made of; `maxDuration` is the most that it lasts, in milliseconds. */
export type LoginAsParts = {
  authenticate: Authenticate
  authorize: Authorize
  permissions: Permissions
  accounts: Accounts
  replaceLogin: ReplaceLogin
  audit: AuditTrail
  maxDuration: Milliseconds
  clock: Clock
  /** None where no account can have a second factor. */
  secondFactors?: SecondFactors | undefined
  proveFactor?: ProveFactor | undefined
}

/** Needs the permission `auth: login-as`, and an audit trail with a sink. */
export function createLoginAs(parts: LoginAsParts): LoginAs {
  return async ({ userId, presented, ...fields }) => {
    const caller = assertLogin(await parts.authenticate(presented))
    const id = readUserId(userId)
    const code = textField('code', fields.code)
    if (caller.actor) throw refuse('forbidden', 'Forbidden', 'You act as somebody else already.')
    parts.authorize(caller, 'auth', 'login-as')
    const prove = await stepUp(parts, caller, code)
    if (id === caller.accountId) throw ofUserId('invalid', 'NotValid', 'This is your own account.')
    const account = await targetOf(parts, id)
    const entry = { event: 'impersonation.start', caller, subject: id, client: presented.client } as const
    const factor = await prove(entry)
    await parts.audit.assert(entry)
    try {
      return await parts.replaceLogin(caller, {
        account,
        client: presented.client,
        factor,
        ...termOf(parts, caller),
      })
    } catch (error) {
      await parts.audit.record({ ...entry, outcome: 'failure' })
      throw error
    }
  }
}

/**
 * How the caller proves the own second factor, where there is one, once it is known whom for; else it is what the login has.
 * Refuses at once where a code is needed and none came.
 */
async function stepUp(
  { secondFactors, proveFactor, audit }: LoginAsParts,
  { accountId: id, email, factor, factorSince }: LoggedIn,
  code: string | undefined,
): Promise<(entry: AuditEntry) => Promise<NextLogin['factor']>> {
  const found = await secondFactors?.find(id)
  if (found?.activeSince === undefined) return () => Promise.resolve(factorSince ?? factor)
  if (!code) throw factorRequired()
  return async (entry) => {
    if (await proveFactor?.({ id, email }, code, entry.client)) return true
    await audit.record({ ...entry, outcome: 'failure' })
    throw loginFailed('code')
  }
}

function termOf({ clock, maxDuration }: LoginAsParts, { accountId, email, epoch, endsAt }: LoggedIn) {
  return { endsAt: Math.min(clock() + maxDuration, endsAt), actor: { accountId, email, epoch, endsAt } }
}

async function targetOf({ accounts, permissions }: LoginAsParts, id: AccountId): Promise<Account> {
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
    throw ofUserId('forbidden', 'Forbidden', 'Nobody can act as an administrator.')
  return account
}

function readUserId(value: unknown): AccountId {
  if (isPositiveInteger(value)) return value as AccountId
  throw value === undefined
    ? ofUserId('malformed', 'Required', REQUIRED)
    : ofUserId('malformed', 'Format', MUST_BE.id)
}

function ofUserId(
  code: 'malformed' | 'invalid' | 'not-found' | 'forbidden',
  type: 'Required' | 'Format' | 'NotValid' | 'NotFound' | 'Forbidden',
  message: string,
): Refusal {
  return new Refusal(code, [{ field: 'userId', type, message }])
}
