import type { FactorSecret } from '../../../domain/identity/second-factor.js'
import { accepted } from '../../../domain/parsed.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { Clock } from '../../../ports/clock.js'
import type { Enrolment, OneTimeCodes } from '../../../ports/one-time-codes.js'
import type { SecondFactors } from '../../../ports/second-factors.js'
import type { SecretSeal } from '../../../ports/secret-seal.js'
import type { AuditTrail } from '../../audit/audit-trail.js'
import { given, parseFields, textField } from '../../fields.js'
import type { CheckedCredentials } from '../presented.js'
import {
  factorConflict,
  isOwnPassword,
  notValid,
  ownLogin,
  type OwnFactorParts,
  type OwnPasswordParts,
} from './own-account.js'

/** What an authenticator app is given, once. */
export type FactorSetUp = Enrolment & { readonly secret: FactorSecret }

/**
 * Begins to set up a second factor of the own account, which no login is asked for before it is confirmed; what was set up before and
 * not confirmed is forgotten. In this order it refuses with
 * - `invalid-token`, `unauthenticated`: as `Authenticate`;
 * - `malformed`: the password is not text;
 * - `forbidden`: without the permission `auth: second-factor`, and while acting as another account;
 * - `invalid`: no password;
 * - `too-many-attempts`: of this account or from this network, where logins are limited;
 * - `invalid-token`: the account is gone, disabled or in another epoch;
 * - `invalid` with `not-valid`: the password is wrong, which is audited;
 * - `conflict`: a factor is active, and has to be removed first.
 */
export type SetUpSecondFactor = (input: {
  password: unknown
  presented: CheckedCredentials
}) => Promise<FactorSetUp>

/** What a set-up is made of. */
export type SetUpSecondFactorParts = OwnFactorParts &
  OwnPasswordParts & {
    secondFactors: SecondFactors
    oneTimeCodes: OneTimeCodes
    secretSeal: SecretSeal
    audit: AuditTrail
    clock: Clock
  }

/** Needs the permission `auth: second-factor`. */
export function createSetUpSecondFactor(parts: SetUpSecondFactorParts): SetUpSecondFactor {
  return async ({ presented, ...fields }) => {
    const identity = await parts.authenticate(presented)
    const text = textField('password', fields.password)
    const caller = ownLogin(parts, identity)
    const { password } = parseFields({ password: given(text, accepted) })
    const { client } = presented
    const { accountId: id, email } = caller
    if (!(await isOwnPassword(parts, caller, { password, client }))) {
      await parts.audit.record({ event: 'factor.set', caller, subject: id, outcome: 'failure', client })
      throw notValid('password')
    }
    const secret = parts.oneTimeCodes.freshSecret()
    const sealedSecret = await parts.secretSeal.seal(secret, id)
    const outcome = await parts.secondFactors.begin(id, { sealedSecret, at: parts.clock() })
    if (outcome === 'active') throw factorConflict('A second factor is active: remove it first.')
    if (outcome === 'unknown-account') throw invalidToken('the account is gone')
    return { secret, ...parts.oneTimeCodes.enrolment(secret, email) }
  }
}
