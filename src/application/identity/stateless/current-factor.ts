import type { AccountId } from '../../../domain/identity/account.js'
import type { Instant } from '../../../domain/instant.js'
import type { SecondFactors } from '../../../ports/second-factors.js'

/** The port of second factors; without it no account has a factor. */
export type CurrentFactorParts = { readonly secondFactors?: SecondFactors | undefined }

/**
 * When the active second factor of the account was confirmed, if the login has proved that very factor; `undefined` if the factor
 * was removed, also when the account has another factor by now. `true` stands for the active factor, which was proved just now.
 */
export async function currentFactor(
  { secondFactors }: CurrentFactorParts,
  id: AccountId,
  proved: true | Instant | undefined,
): Promise<Instant | undefined> {
  if (proved === undefined) return undefined
  const since = (await secondFactors?.find(id))?.activeSince
  return proved === true || proved === since ? since : undefined
}
