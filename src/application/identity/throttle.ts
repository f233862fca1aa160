import { canonicalEmail } from '../../domain/identity/email.js'
import { rateLimitKey } from '../../domain/identity/rate-limit-key.js'
import { TooManyAttempts } from '../../domain/refusal.js'
import type { AttemptCount, AttemptLimit, AttemptLimiter } from '../../ports/attempt-limiter.js'
import type { Clock } from '../../ports/clock.js'
import type { Digest } from '../../ports/digest.js'
import type { ClientContext } from '../client-context.js'

/**
 * Counts a login (also by HTTP Basic, or with a reset token) before the work: for the account from one address network
 * (IPv6 by /64), for the network, and for the account from everywhere. Resolves with the refund, for an attempt that
 * succeeds. Refuses with `too-many-attempts` while a count is at its limit. Unknown accounts are counted in the same
 * way.
 */
export type Throttle = (email: string, client: ClientContext | undefined) => Promise<() => Promise<void>>

/** Many people may share one address network: its limit is 5 times the limit of an account from it. */
export function networkLimitOf(limit: AttemptLimit): AttemptLimit {
  return times(5, limit)
}

/** The limit of an account from all networks. */
function accountLimitOf(limit: AttemptLimit): AttemptLimit {
  return times(10, limit)
}

function times(factor: number, { count, window }: AttemptLimit): AttemptLimit {
  return { count: factor * count, window }
}

/** The parts that count attempts. */
export type ThrottleParts = { attempts: AttemptLimiter; digest: Digest; clock: Clock }

/** The counts of an attempt; `account` is a digest. */
type CountsOf = (account: string, network: string | undefined) => AttemptCount[]

/** `limit` is the limit of one account from one network. */
export function createThrottle({
  limit,
  ...parts
}: ThrottleParts & { readonly limit: AttemptLimit }): Throttle {
  return throttleBy(parts, (account, network) => loginCounts(loginsOf(account), network, limit))
}

/**
 * Counts codes of a second factor, which are always limited: in 15 minutes five wrong codes for an account from one address
 * network, and twenty from everywhere. Three of a million codes are valid at a time.
 */
export function createCodeThrottle(parts: ThrottleParts): Throttle {
  return throttleBy(parts, (digest, network) => {
    const account = codesOf(digest)
    return [
      { name: `${account} from ${network ?? 'anywhere'}`, limit: { count: 5, window: CODE_WINDOW } },
      { name: account, limit: { count: 20, window: CODE_WINDOW } },
    ]
  })
}

const CODE_WINDOW = 15 * 60_000

/** The names of the counts of an account, which has the digest of its email. */
const loginsOf = (account: string) => `login account ${account}`
const codesOf = (account: string) => `code account ${account}`

/**
 * Forgets the counts of logins and codes of an account, so that its owner can try again immediately. The counts of networks stay,
 * because they belong to other accounts too, and so do the limits of reset mails, which protect a mailbox.
 */
export async function clearAttempts(
  { attempts, digest }: Pick<ThrottleParts, 'attempts' | 'digest'>,
  email: string,
): Promise<void> {
  const account = accountOf(digest, email)
  await attempts.clear([loginsOf(account), codesOf(account)])
}

/**
 * People type all kinds of text into an email field: only its digest is kept. All ways to write an email count as one account.
 */
function accountOf(digest: Digest, email: string): string {
  return digestOf(digest, canonicalEmail(email) ?? email)
}

function throttleBy({ attempts, digest, clock }: ThrottleParts, countsOf: CountsOf): Throttle {
  return async (email, client) => {
    const at = clock()
    const outcome = await attempts.take(countsOf(accountOf(digest, email), rateLimitKey(client?.address)), at)
    // A refund in the meantime may leave no time to wait; the attempt was still refused, so the wait is at least 1 ms.
    if (outcome.kind === 'refused') throw new TooManyAttempts(Math.max(outcome.until - at, 1))
    return () => attempts.refund(outcome.attempt)
  }
}

/**
 * An attacker at one address cannot lock out an owner at another address. Without an address, stranger and owner cannot
 * be told apart: such attempts have the wide limit of the account, in a separate count, so that they take nothing from
 * an owner whose address is known.
 */
function loginCounts(account: string, network: string | undefined, limit: AttemptLimit): AttemptCount[] {
  if (network === undefined) return [{ name: `${account} from anywhere`, limit: accountLimitOf(limit) }]
  return [
    { name: `${account} from ${network}`, limit },
    { name: `login network ${network}`, limit: networkLimitOf(limit) },
    { name: account, limit: accountLimitOf(limit) },
  ]
}

/** Does the work as an attempt of the account. A result of `undefined` is a wrong guess; every other attempt is refunded. */
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

/** The digest of a text that must not be stored. */
export function digestOf(digest: Digest, text: string): string {
  const underWay = digest()
  underWay.update(text)
  return underWay.end()
}
