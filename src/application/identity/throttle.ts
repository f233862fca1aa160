import { canonicalEmail } from '../../domain/identity/email.js'
import { rateLimitKey } from '../../domain/identity/rate-limit-key.js'
import { TooManyAttempts } from '../../domain/refusal.js'
import type { AttemptCount, AttemptLimit, AttemptLimiter } from '../../ports/attempt-limiter.js'
import type { Clock } from '../../ports/clock.js'
import type { Digest } from '../../ports/digest.js'
import type { ClientContext } from '../client-context.js'

/**
 * Counts a login (also by HTTP Basic, or with the token of a reset) before anything is done: for the
 * account from one address network (IPv6 by /64), for the network, and for the account from anywhere.
 * Resolves with what refunds the attempt, for when it has succeeded. Refuses with `too-many-attempts`
 * while one of them is at its limit; whether the account exists makes no difference.
 */
export type Throttle = (email: string, client: ClientContext | undefined) => Promise<() => Promise<void>>

/** Behind one address network there may be many people: it gets 5 times what one account gets from it. */
export function networkLimitOf(limit: AttemptLimit): AttemptLimit {
  return times(5, limit)
}

/** An account is attacked from many networks. */
function accountLimitOf(limit: AttemptLimit): AttemptLimit {
  return times(10, limit)
}

function times(factor: number, { count, window }: AttemptLimit): AttemptLimit {
  return { count: factor * count, window }
}

/** What counts attempts. */
export type ThrottleParts = { attempts: AttemptLimiter; digest: Digest; clock: Clock }

/** What an attempt is counted under, by a name for the account. */
type CountsOf = (account: string, network: string | undefined) => AttemptCount[]

/** `limit` is that of one account from one network. */
export function createThrottle({
  limit,
  ...parts
}: ThrottleParts & { readonly limit: AttemptLimit }): Throttle {
  return throttleBy(parts, (account, network) => loginCounts(`login account ${account}`, network, limit))
}

/**
 * The same for codes of a second factor, which are limited whatever logins are: five wrong ones in a quarter of an hour for an
 * account from one address network, and twenty from anywhere. Of a million codes three are good at once.
 */
export function createCodeThrottle(parts: ThrottleParts): Throttle {
  return throttleBy(parts, (digest, network) => {
    const account = `code account ${digest}`
    return [
      { name: `${account} from ${network ?? 'anywhere'}`, limit: { count: 5, window: CODE_WINDOW } },
      { name: account, limit: { count: 20, window: CODE_WINDOW } },
    ]
  })
}

const CODE_WINDOW = 15 * 60_000

function throttleBy({ attempts, digest, clock }: ThrottleParts, countsOf: CountsOf): Throttle {
  return async (email, client) => {
    const at = clock()
    // People type all kinds of things where an email belongs: only a digest of it is kept.
    // All ways to write an email count as one account; a text that is no email counts as it is.
    const account = digestOf(digest, canonicalEmail(email) ?? email)
    const outcome = await attempts.take(countsOf(account, rateLimitKey(client?.address)), at)
    // An attempt that was refunded meanwhile leaves no time to wait, and this one was refused all the same.
    if (outcome.kind === 'refused') throw new TooManyAttempts(Math.max(outcome.until - at, 1))
    return () => attempts.refund(outcome.attempt)
  }
}

/**
 * From one address no attacker can lock out an owner who comes from another. Without an address, stranger and owner cannot be
 * told apart: such attempts have the wide limit of the account, in a separate count, so that they take nothing from an owner
 * whose address is known.
 */
function loginCounts(account: string, network: string | undefined, limit: AttemptLimit): AttemptCount[] {
  if (network === undefined) return [{ name: `${account} from anywhere`, limit: accountLimitOf(limit) }]
  return [
    { name: `${account} from ${network}`, limit },
    { name: `login network ${network}`, limit: networkLimitOf(limit) },
    { name: account, limit: accountLimitOf(limit) },
  ]
}

/**
 * Does the work as an attempt of the account's: refunded, unless it comes to `undefined`, which is
 * that of a guess that was wrong.
 */
export async function attempted<T>(
  throttle: Throttle | undefined,
  { email, client }: { readonly email: string; readonly client: ClientContext | undefined },
  work: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const refund = await throttle?.(email, client)
  let wrong = false
  try {
    const result = await work()
    wrong = result === undefined
    return result
  } finally {
    if (!wrong) await refund?.()
  }
}

/** Of a text that is not to be kept itself. */
export function digestOf(digest: Digest, text: string): string {
  const underWay = digest()
  underWay.update(text)
  return underWay.end()
}
