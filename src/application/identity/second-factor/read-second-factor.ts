import type { Instant } from '../../../domain/instant.js'
import type { Account } from '../../../domain/identity/account.js'
import type { SecondFactors } from '../../../ports/second-factors.js'
import type { FactorRoles } from '../identity-of.js'
import { identityOperation } from '../identity-operation.js'
import { assertOwnLogin, ownAccount } from '../own-account.js'
import { presentedInput } from '../presented.js'

/** The state of the second factor of an account. */
export type FactorStatus = {
  readonly active: boolean
  /** When it was confirmed. */
  readonly since?: Instant
  readonly recoveryCodesLeft: number
  /** Whether roles of the account count only in a login with a second factor. */
  readonly required: boolean
}

/** The parts of the status. */
export type FactorStatusParts = {
  secondFactors: SecondFactors
  /** None if every role counts in every login. */
  factorRoles?: FactorRoles | undefined
}

/**
 * Whether the own account has a second factor. Refuses as `Authenticate` does, and with `forbidden` without the
 * permission `auth: second-factor` and while the caller acts as another account.
 */
export const readSecondFactor = identityOperation({
  permission: ['auth', 'second-factor'],
  input: presentedInput,
  parts: ['authenticate', 'accounts', 'secondFactors', 'factorRoles'],
  run:
    (parts, { permit }) =>
    async (presented): Promise<FactorStatus> => {
      const caller = assertOwnLogin(await parts.authenticate(presented))
      permit(caller)
      return await factorStatus(parts, await ownAccount(parts, caller))
    },
})

/** A factor that was set up and not confirmed does not count. */
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
