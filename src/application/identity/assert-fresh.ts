import type { Identity } from '../../domain/access/caller.js'
import { freshLoginRequired, missingProofs } from '../../domain/access/step-up.js'
import type { Account } from '../../domain/identity/account.js'
import type { GivenShared } from '../shared-parts.js'

/**
 * Refuses with `fresh-login-required` if the last proof of identity, or the last code of the active second factor, is older than ten
 * minutes. `account` is the caller's own account.
 */
export type AssertFresh = (caller: Identity, account: Account) => void

/** The parts needed to check logins. */
export type AssertFreshParts = GivenShared<['passkeyVerifier', 'clock'], ['passkeyVerifier']>

const FRESH = 10 * 60_000

export function createAssertFresh({ passkeyVerifier, clock }: AssertFreshParts): AssertFresh {
  const hasPasskeys = passkeyVerifier !== undefined
  return (caller, { secondFactor, passwordHash }) => {
    const hasFactor = secondFactor !== undefined
    const condition = { fresh: FRESH, factor: hasFactor ? FRESH : undefined }
    const missing = missingProofs(caller, condition, clock())
    const ways = { hasPassword: passwordHash !== undefined, hasFactor, hasPasskeys }
    if (missing?.length !== 0) throw freshLoginRequired(missing ?? ['password'], ways, 'this change')
  }
}
