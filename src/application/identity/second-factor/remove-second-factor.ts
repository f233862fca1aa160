import { identityOperation } from '../identity-operation.js'
import { OWN_PASSWORD_PARTS, ownAccount, ownLogin } from '../own-account.js'
import { assertOwnProof, givenProof, noFactor, ownProof } from './own-proof.js'
import { factorStatus, type FactorStatus } from './read-second-factor.js'

/**
 * Removes the second factor of the caller's account and its recovery codes. Roles that require a second factor stop applying at the next
 * request. Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller lacks the permission `auth: second-factor`, or acts as another account;
 * - `malformed`: the password or the code is not a string;
 * - `fresh-login-required`: the account has no password, and the login is not fresh; see `AssertFresh`;
 * - `invalid`: the password or the code is missing;
 * - `too-many-attempts`: too many attempts on this account or from this network, if logins are limited;
 * - `invalid-token`: the account is deleted or disabled, or its epoch has changed;
 * - `invalid` with `not-valid`: the password is wrong (this is audited);
 * - `conflict`: no factor is active;
 * - `too-many-attempts`: too many codes were tried for this account;
 * - `invalid` with `not-valid`: the code is wrong or was used before (this is audited).
 */
export const removeSecondFactor = identityOperation({
  permission: ['auth', 'second-factor'],
  input: ownProof,
  parts: [...OWN_PASSWORD_PARTS, 'secondFactors', 'proveFactor', 'factorRoles', 'notices', 'audit'],
  run:
    (parts, checks) =>
    async (input): Promise<FactorStatus> => {
      const proof = await givenProof(parts, await ownLogin(parts, input, checks))
      const { caller, client } = proof
      const { accountId: id, email } = caller
      const entry = await assertOwnProof(parts, proof, {
        event: 'factor.remove',
        prove: (code) => parts.proveFactor({ id, email }, code, client),
      })
      if ((await parts.secondFactors.remove(id)) === 'unknown') throw noFactor()
      await parts.audit.record(entry)
      await parts.notices?.send('factor', { email, client, about: 'removed' })
      return await factorStatus(parts, await ownAccount(parts, caller))
    },
})
