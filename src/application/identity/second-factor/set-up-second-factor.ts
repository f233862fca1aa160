import type { FactorSecret } from '../../../domain/identity/second-factor.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { Enrolment } from '../../../ports/second-factors.js'
import { optional, parseFields, text } from '../../fields.js'
import { identityOperation } from '../identity-operation.js'
import { notValid, OWN_PASSWORD_PARTS, ownLogin, passwordCheck } from '../own-account.js'
import { formParser } from '../presented.js'
import { factorConflict } from './own-proof.js'

/** The secret for an authenticator app. The secret is shown only here. */
export type FactorSetUp = Enrolment & { readonly secret: FactorSecret }

/**
 * Begins to set up a second factor for the caller's account. Logins require the factor only after `confirmSecondFactor`. An earlier setup
 * that was not confirmed is discarded. Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller lacks the permission `auth: second-factor`, or acts as another account;
 * - `malformed`: the password is not a string;
 * - `fresh-login-required`: the account has no password, and the login is not fresh; see `AssertFresh`;
 * - `invalid`: the password is missing;
 * - `too-many-attempts`: too many attempts on this account or from this network, if logins are limited;
 * - `invalid-token`: the account is deleted or disabled, or its epoch has changed;
 * - `invalid` with `not-valid`: the password is wrong (this is audited);
 * - `conflict`: a factor is already active and must be removed first.
 */
export const setUpSecondFactor = identityOperation({
  permission: ['auth', 'second-factor'],
  input: formParser({ password: optional(text) }),
  parts: [...OWN_PASSWORD_PARTS, 'secondFactors', 'oneTimeCodes', 'secretSeal', 'audit', 'clock'],
  run:
    (parts, checks) =>
    async (input): Promise<FactorSetUp> => {
      const own = await ownLogin(parts, input, checks)
      const { caller, client } = own
      const { password: isRight } = parseFields({ password: await passwordCheck(parts, own, own.password) })
      const { accountId: id, email } = caller
      if (!(await isRight())) {
        await parts.audit.record({ event: 'factor.set', caller, subject: id, outcome: 'failure', client })
        throw notValid('password')
      }
      const secret = parts.oneTimeCodes.freshSecret()
      const sealedSecret = await parts.secretSeal.seal(secret, id)
      const outcome = await parts.secondFactors.begin(id, { sealedSecret, at: parts.clock() })
      if (outcome === 'active') throw factorConflict('A second factor is active: remove it first.')
      if (outcome === 'unknown-account') throw invalidToken('the account no longer exists')
      return { secret, ...parts.oneTimeCodes.enrolment(secret, email) }
    },
})
