import { TOTP } from 'otpauth'

/** What an authenticator app shows for a secret, by a library with hashes of its own. */
export function oneTimeCode(secret: string, at: number): string {
  return new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp: at })
}
