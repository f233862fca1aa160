import { TOTP } from 'otpauth'

/** The code that an authenticator app shows for a secret, computed by an independent library. */
export function oneTimeCode(secret: string, at: number): string {
  return new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp: at })
}
