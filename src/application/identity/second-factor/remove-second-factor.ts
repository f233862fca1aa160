import type { SecondFactors } from '../../../ports/second-factors.js'
import type { AuditTrail } from '../../audit/audit-trail.js'
import type { Notices } from '../../mail/notices.js'
import type { CheckedCredentials } from '../presented.js'
import { notValid, ownAccount, type OwnFactorParts } from './own-account.js'
import { noFactor, readOwnProof, wrongPart, type OwnProofParts } from './own-proof.js'
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
  OwnProofParts &
  FactorStatusParts & {
    secondFactors: SecondFactors
    proveFactor: ProveFactor
    notices?: Notices | undefined
    audit: AuditTrail
  }

/** Needs the permission `auth: second-factor`. */
export function createRemoveSecondFactor(parts: RemoveSecondFactorParts): RemoveSecondFactor {
  return async ({ presented, ...fields }) => {
    const proof = readOwnProof(parts, await parts.authenticate(presented), fields)
    const { caller, code } = proof
    const { accountId: id, email } = caller
    const { client } = presented
    const wrong = await wrongPart(parts, proof, client, () => parts.proveFactor({ id, email }, code, client))
    const entry = { event: 'factor.remove', caller, subject: id, client } as const
    if (wrong) {
      await parts.audit.record({ ...entry, outcome: 'failure' })
      throw notValid(wrong)
    }
    if ((await parts.secondFactors.remove(id)) === 'unknown') throw noFactor()
    await parts.audit.record(entry)
    await parts.notices?.send('factor', { email, client, about: 'removed' })
    return await factorStatus(parts, await ownAccount(parts, caller))
  }
}
