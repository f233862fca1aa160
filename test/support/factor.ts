import type { AccountId } from '../../src/domain/identity/account.js'
import { oneTimeCode } from './one-time-code.js'
import { PASSWORD, presentedBy, type Composed } from './use-cases.js'

export type FactorHolder = Awaited<ReturnType<typeof factorHolder>>

export const STEP = 30_000

/** Creates an account, logs it in, and sets up a second factor, which is confirmed with the current code. */
export async function factorHolder(kennel: Composed, email: string, roles: readonly string[] = []) {
  const id = (await kennel.account(email, roles)) as AccountId
  const presented = presentedBy(await kennel.login(email))
  const { secret } = await kennel.useCases.setUpSecondFactor({ password: PASSWORD, presented })
  const code = (later = 0) => oneTimeCode(secret, kennel.clock.now + later * STEP)
  const { issued, recoveryCodes } = await kennel.useCases.confirmSecondFactor({ code: code(), presented })
  return { id, email, secret, recoveryCodes, issued, code }
}
