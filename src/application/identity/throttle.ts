import { countedAddress } from '../../domain/identity/counted-address.js'
import type { Email } from '../../domain/identity/email.js'
import { TooManyAttempts } from '../../domain/refusal.js'
import type { AttemptLimit, AttemptLimiter } from '../../ports/attempt-limiter.js'
import type { Clock } from '../../ports/clock.js'
import type { Digest } from '../../ports/digest.js'
import type { Origin } from '../origin.js'

/**
 * Counts an attempt for the account and for the client's address (IPv6 by /64), before anything is
 * done. Resolves with what refunds the attempt, for when it has succeeded. Refuses with
 * `too-many-attempts` while either is at its limit; whether the account exists makes no difference.
 */
export type Throttle = (
  what: 'login' | 'reset',
  email: Email,
  origin: Origin | undefined,
) => Promise<() => Promise<void>>

/** Login and reset are counted apart, with one `limit` for both. */
export function createThrottle(parts: {
  attempts: AttemptLimiter
  limit: AttemptLimit
  digest: Digest
  clock: Clock
}): Throttle {
  return async (what, email, origin) => {
    const at = parts.clock()
    // People type all kinds of things where an email belongs: only a digest of it is kept.
    const account = `${what} account ${digestOf(parts.digest, email)}`
    const address = countedAddress(origin?.address)
    const names = address === undefined ? [account] : [account, `${what} address ${address}`]
    const outcome = await parts.attempts.take(
      names.map((name) => ({ name, limit: parts.limit })),
      at,
    )
    if (outcome.kind === 'refused') throw new TooManyAttempts(outcome.until - at)
    return () => parts.attempts.refund(outcome.attempt)
  }
}

/** Of a text that is not to be kept itself. */
export function digestOf(digest: Digest, text: string): string {
  const underWay = digest()
  underWay.update(text)
  return underWay.end()
}
