import { accepted } from '../../../domain/parsed.js'
import type { SecondFactors } from '../../../ports/second-factors.js'
import type { AuditTrail } from '../../audit/audit-trail.js'
import { given, parseFields, textField } from '../../fields.js'
import type { Notices } from '../../mail/notices.js'
import type { LoggedIn } from '../impersonation/replace-login.js'
import type { CheckedCredentials } from '../presented.js'
import {
  factorConflict,
  isOwnPassword,
  notValid,
  ownAccount,
  ownLogin,
  type OwnFactorParts,
  type OwnPasswordParts,
} from './own-account.js'
import type { ProveFactor } from './prove-factor.js'
import { factorStatus, type FactorStatus, type FactorStatusParts } from './read-second-factor.js'

/**
 * Takes the second factor of the own account away, with its recovery codes; roles that need one count no more at the next
 * request. In this order it refuses with
 * - `invalid-token`, `unauthenticated`: as `Authenticate`;
 * - `malformed`: password or code is not text;
 * - `forbidden`: without the permission `auth: second-factor`, and while acting as another account;
 * - `invalid`: password or code is missing;
 * - `too-many-attempts`: of this account or from this network, where logins are limited;
 * - `invalid-token`: the account is gone, disabled or in another epoch;
 * - `invalid` with `not-valid`: the password is wrong, which is audited;
 * - `conflict`: no factor is active;
 * - `too-many-attempts`: of codes of this account;
 * - `invalid` with `not-valid`: the code is wrong or was used, which is audited.
 */
export type RemoveSecondFactor = (input: {
  password: unknown
  code: unknown
  presented: CheckedCredentials
}) => Promise<FactorStatus>

/** What a removal is made of. */
export type RemoveSecondFactorParts = OwnFactorParts &
  OwnPasswordParts &
  FactorStatusParts & {
    secondFactors: SecondFactors
    proveFactor: ProveFactor
    notices?: Notices | undefined
    audit: AuditTrail
  }

/** Needs the permission `auth: second-factor`. */
export function createRemoveSecondFactor(parts: RemoveSecondFactorParts): RemoveSecondFactor {
  return async ({ presented, ...fields }) => {
    const identity = await parts.authenticate(presented)
    const texts = {
      password: textField('password', fields.password),
      code: textField('code', fields.code),
    }
    const caller = ownLogin(parts, identity)
    const proof = parseFields({
      password: given(texts.password, accepted),
      code: given(texts.code, accepted),
    })
    const { client } = presented
    const entry = { event: 'factor.remove', caller, subject: caller.accountId, client } as const
    const wrong = await wrongOf(parts, caller, { ...proof, client })
    if (wrong) {
      await parts.audit.record({ ...entry, outcome: 'failure' })
      throw notValid(wrong)
    }
    if ((await parts.secondFactors.remove(caller.accountId)) === 'unknown') throw noFactor()
    await parts.audit.record(entry)
    await parts.notices?.send('factor', { email: caller.email, client, about: 'removed' })
    return await factorStatus(parts, await ownAccount(parts, caller))
  }
}

type Proof = {
  readonly password: string
  readonly code: string
  readonly client: CheckedCredentials['client']
}

/** The password first: a code is spent by being looked at. */
async function wrongOf(
  parts: RemoveSecondFactorParts,
  caller: LoggedIn,
  { password, code, client }: Proof,
): Promise<'password' | 'code' | undefined> {
  const { accountId: id, email } = caller
  if (!(await isOwnPassword(parts, caller, { password, client }))) return 'password'
  if ((await parts.secondFactors.find(id))?.activeSince === undefined) throw noFactor()
  return (await parts.proveFactor({ id, email }, code, client)) ? undefined : 'code'
}

function noFactor() {
  return factorConflict('No second factor is active.')
}
