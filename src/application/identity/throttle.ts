import type { Email } from '../../domain/identity/email.js'
import { TooManyAttempts } from '../../domain/refusal.js'
import type { AttemptLimit, AttemptLimiter } from '../../ports/attempt-limiter.js'
import type { Clock } from '../../ports/clock.js'
import type { Digest } from '../../ports/digest.js'

/**
 * Counts a login attempt for the account and for the client's address, before anything is computed.
 * Resolves with what gives the attempt back, for when it has succeeded. Refuses with
 * `too-many-attempts` while either is at its limit; whether the account exists makes no difference.
 */
export type Throttle = (email: Email, address: string | undefined) => Promise<() => Promise<void>>

export function createThrottle(parts: {
  attempts: AttemptLimiter
  limit: AttemptLimit
  digest: Digest
  clock: Clock
}): Throttle {
  return async (email, address) => {
    const at = parts.clock()
    // People type all kinds of things where an email belongs: only a digest of it is kept.
    const account = `login account ${digestOf(parts.digest, email)}`
    const names = address === undefined ? [account] : [account, `login address ${address}`]
    const outcome = await parts.attempts.take(names, parts.limit, at)
    if (outcome.kind === 'refused') throw new TooManyAttempts(outcome.until - at)
    return () => parts.attempts.giveBack(outcome.attempt)
  }
}

function digestOf(digest: Digest, text: string): string {
  const underWay = digest()
  underWay.update(text)
  return underWay.end()
}
