import type { AuditTrail } from '../../audit/audit-trail.js'
import type { CheckedCredentials } from '../presented.js'
import { notValid, type OwnFactorParts } from './own-account.js'
import { readOwnProof, wrongPart, type OwnProofParts } from './own-proof.js'
import { proveCode, type ProveFactorParts } from './prove-factor.js'
import { freshRecoveryCodes } from './recovery-codes.js'

/**
 * Replaces the recovery codes of the own account with new ones, which are shown this once: for an owner who has never seen the
 * previous codes or has lost them. The factor and all sessions stay. In this order it refuses with
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
export type RenewRecoveryCodes = (input: {
  password: unknown
  code: unknown
  presented: CheckedCredentials
}) => Promise<readonly string[]>

/** The parts of a renewal. */
export type RenewRecoveryCodesParts = OwnFactorParts &
  OwnProofParts &
  ProveFactorParts & { audit: AuditTrail }

/** Needs the permission `auth: second-factor`. */
export function createRenewRecoveryCodes(parts: RenewRecoveryCodesParts): RenewRecoveryCodes {
  return async ({ presented, ...fields }) => {
    const proof = readOwnProof(parts, await parts.authenticate(presented), fields)
    const { caller, code } = proof
    const { accountId: id, email } = caller
    const { client } = presented
    const { written, digests: recovery } = freshRecoveryCodes(parts)
    const wrong = await wrongPart(parts, proof, client, () =>
      proveCode(
        parts,
        { id, email, client },
        code,
        async (used) =>
          (await parts.secondFactors.renewRecovery(id, { proof: used, recovery })) === 'renewed',
      ),
    )
    const entry = { event: 'factor.renew', caller, subject: id, client } as const
    if (wrong) {
      await parts.audit.record({ ...entry, outcome: 'failure' })
      throw notValid(wrong)
    }
    await parts.audit.record(entry)
    await parts.notices?.send('factor', { email, client, about: 'renewed' })
    return written
  }
}
