import { createHmac } from 'node:crypto'
import {
  codeParameters,
  type FactorSecret,
  type RecoveryCode,
  type TimeStep,
} from '../../domain/identity/second-factor.js'
import type { OneTimeCodes } from '../../ports/second-factors.js'
import { Secret, TOTP } from './otpauth.js'
import { renderSVG } from './uqr.js'

/** Secret length in bytes, equal to the output length of HMAC-SHA-1 (RFC 4226, 4) */
const SECRET_BYTES = 20
const RECOVERY_BYTES = 10
/** Also accepts the previous and the next code, because clocks differ and people need time to type a code. */
const WINDOW = 1
/** ISO/IEC 18004 requires a white border of four modules. */
const QR_CODE = { ecc: 'M', border: 4, pixelSize: 4 } as const

/**
 * Creates one-time codes with otpauth and QR codes with uqr. Authenticator apps show `issuer`, the host of the service, next to the email.
 */
export function createOneTimeCodes({ issuer }: { readonly issuer: string }): OneTimeCodes {
  const codesOf = (secret: FactorSecret, label = '') =>
    new TOTP({ ...{ issuer, label, hmac }, ...codeParameters(secret) })

  return {
    freshSecret: () => new Secret({ size: SECRET_BYTES }).base32 as FactorSecret,
    freshRecoveryCode: () => new Secret({ size: RECOVERY_BYTES }).base32 as RecoveryCode,
    enrolment(secret, email) {
      const uri = codesOf(secret, email).toString()
      return { uri, qrCode: renderSVG(uri, QR_CODE) }
    },
    stepOf(secret, code, at) {
      const totp = codesOf(secret)
      const delta = totp.validate({ token: code, timestamp: at, window: WINDOW })
      return delta === null ? undefined : ((Math.floor(at / 1000 / totp.period) + delta) as TimeStep)
    },
  }
}

function hmac(algorithm: string, key: Uint8Array, message: Uint8Array): Uint8Array {
  return createHmac(algorithm, key).update(message).digest()
}
