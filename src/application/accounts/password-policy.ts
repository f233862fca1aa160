import { newPassword, type Password } from '../../domain/identity/password.js'
import { broken, type Parsed } from '../../domain/parsed.js'
import type { PasswordBlocklist, PasswordContext, PasswordObjection } from '../../ports/password-blocklist.js'

/** Judges a new password of a user: first the length, then the blocklist. Rejects as the blocklist does. */
export type PasswordPolicy = (text: string, context: PasswordContext) => Promise<Parsed<Password>>

const RULES: Readonly<Record<PasswordObjection, string>> = {
  'too-common': 'is one of the commonest passwords: choose another one',
  'too-close-to-context': 'is mostly the email or the name of this service: choose another one',
}

/** `minLength` in characters; without a blocklist only the length counts. */
export function createPasswordPolicy(parts: {
  minLength: number
  blocklist?: PasswordBlocklist | undefined
}): PasswordPolicy {
  return async (text, context) => {
    const judged = newPassword(text, parts.minLength)
    const objection = judged.ok ? await parts.blocklist?.refuses(judged.value, context) : undefined
    return objection === undefined ? judged : broken('NotValid', RULES[objection])
  }
}
