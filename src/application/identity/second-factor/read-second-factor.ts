import type { Instant } from '../../../domain/instant.js'
import type { Account } from '../../../domain/identity/account.js'
import { identityOperation } from '../identity-operation.js'
import { assertOwnLogin, ownAccount } from '../own-account.js'
import { presentedInput } from '../presented.js'
import type { GivenParts } from '../part-types.js'

/** The state of an account's second factor. */
export type FactorStatus = {
  readonly active: boolean
  /** When the factor was confirmed. */
  readonly since?: Instant
  readonly recoveryCodesLeft: number
  /** Whether the account has roles that apply only in a login with a second factor. */
  readonly required: boolean
}

/** The dependencies needed to read the status. */
export type FactorStatusParts = GivenParts<['secondFactors', 'factorRoles']>

/**
 * Resolves with the state of the second factor of the caller's account. Refuses the call in the same cases as `Authenticate`, and with
 * `forbidden` if the caller lacks the permission `auth: second-factor` or acts as another account.
 */
export const readSecondFactor = identityOperation({
  permission: ['auth', 'second-factor'],
  input: presentedInput,
  parts: ['authenticate', 'accounts', 'secondFactors', 'factorRoles'],
  run:
    (parts, { assertPermitted }) =>
    async (presented): Promise<FactorStatus> => {
      const caller = assertOwnLogin(await parts.authenticate(presented))
      assertPermitted(caller)
      return await factorStatus(parts, await ownAccount(parts, caller))
    },
})

/** A factor that was set up but not confirmed is not active. */
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
