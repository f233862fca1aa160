import type { Instant } from '../../../domain/instant.js'
import type { Account } from '../../../domain/identity/account.js'
import type { Accounts } from '../../../ports/accounts.js'
import type { SecondFactors } from '../../../ports/second-factors.js'
import type { FactorRoles } from '../factor-roles.js'
import type { CheckedCredentials } from '../presented.js'
import { ownAccount, ownLogin, type OwnFactorParts } from './own-account.js'

/** What there is to know of a second factor. */
export type FactorStatus = {
  readonly active: boolean
  /** When it was confirmed. */
  readonly since?: Instant
  readonly recoveryCodesLeft: number
  /** Whether roles of the account count only in a login with a second factor. */
  readonly required: boolean
}

/**
 * Whether the own account has a second factor. Refuses as `Authenticate` does, and with `forbidden` without the
 * permission `auth: second-factor` and while acting as another account.
 */
export type ReadSecondFactor = (presented: CheckedCredentials) => Promise<FactorStatus>

/** What the status is made of. */
export type FactorStatusParts = {
  secondFactors: SecondFactors
  /** None where every role counts in every login. */
  factorRoles?: FactorRoles | undefined
}

/** Needs the permission `auth: second-factor`. */
export function createReadSecondFactor(
  parts: OwnFactorParts & FactorStatusParts & { accounts: Accounts },
): ReadSecondFactor {
  return async (presented) => {
    const caller = ownLogin(parts, await parts.authenticate(presented))
    return await factorStatus(parts, await ownAccount(parts, caller))
  }
}

/** A factor that was set up and not confirmed is none. */
export async function factorStatus(
  { secondFactors, factorRoles }: FactorStatusParts,
  { id, roles }: Account,
): Promise<FactorStatus> {
  const factor = await secondFactors.find(id)
  const { activeSince: since, recoveryLeft = 0 } = factor ?? {}
  return {
    active: since !== undefined,
    ...(since !== undefined && { since }),
    recoveryCodesLeft: recoveryLeft,
    required: roles.some(({ key }) => factorRoles?.has(key)),
  }
}
