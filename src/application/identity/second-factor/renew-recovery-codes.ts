import type { CodeProof } from '../../../ports/second-factors.js'
import { identityOperation } from '../identity-operation.js'
import { OWN_PASSWORD_PARTS, ownLogin } from '../own-account.js'
import { assertOwnProof, givenProof, ownProof } from './own-proof.js'
import { freshRecoveryCodes, PROOF_PARTS, proveCode } from './prove-factor.js'

/**
 * Replaces the recovery codes of the caller's account with new codes, which are shown only here. Meant for an owner who never saw the
 * previous codes or has lost them. The factor and all sessions remain. Refuses the call in the same cases as `removeSecondFactor`, in the
 * same order.
 */
export const renewRecoveryCodes = identityOperation({
  permission: ['auth', 'second-factor'],
  input: ownProof,
  parts: [...PROOF_PARTS, ...OWN_PASSWORD_PARTS],
  run:
    (parts, checks) =>
    async (input): Promise<readonly string[]> => {
      const proof = await givenProof(parts, await ownLogin(parts, input, checks))
      const { caller, client } = proof
      const { accountId: id, email } = caller
      const { written, digests: recovery } = freshRecoveryCodes(parts)
      const renew = async (proof: CodeProof) =>
        (await parts.secondFactors.renewRecovery(id, { proof, recovery })) === 'renewed'
      const entry = await assertOwnProof(parts, proof, {
        event: 'factor.renew',
        prove: (code) => proveCode(parts, { id, email, client }, code, renew),
      })
      await parts.audit.record(entry)
      await parts.notices?.send('factor', { email, client, about: 'renewed' })
      return written
    },
})
