import {
  RECOVERY_CODES,
  writtenRecoveryCode,
  type RecoveryDigest,
} from '../../../domain/identity/second-factor.js'
import type { Digest } from '../../../ports/digest.js'
import type { OneTimeCodes } from '../../../ports/one-time-codes.js'
import { digestOf } from '../throttle.js'

/** The codes as the owner is shown them, and the digests that the store keeps. */
export type FreshRecoveryCodes = {
  readonly written: readonly string[]
  readonly digests: readonly RecoveryDigest[]
}

/** A whole set of new recovery codes. */
export function freshRecoveryCodes({
  oneTimeCodes,
  digest,
}: {
  readonly oneTimeCodes: OneTimeCodes
  readonly digest: Digest
}): FreshRecoveryCodes {
  const codes = Array.from({ length: RECOVERY_CODES }, () => oneTimeCodes.freshRecoveryCode())
  return {
    written: codes.map(writtenRecoveryCode),
    digests: codes.map((code) => digestOf(digest, code) as RecoveryDigest),
  }
}
