import { canonicalEmail } from '../../domain/identity/email.js'
import { rateLimitKey } from '../../domain/identity/address.js'
import { TooManyAttempts } from '../../domain/refusal.js'
import type { AttemptCount, AttemptLimit, AttemptLimiter } from '../../ports/attempt-limiter.js'
import type { Clock, Digest } from '../../ports/system.js'
import type { ClientContext } from '../client-context.js'

/**
 * Counts a login attempt before any work starts. Attempts with HTTP Basic or with a reset token also count. Each attempt increases three
 * counts: for the account from one network (for IPv6, the /64), for the network, and for the account from all networks. Resolves with a
 * function that refunds an attempt that succeeds. Refuses with `too-many-attempts` while a count is at its limit. Unknown accounts are
 * counted in the same way.
 */
export type Throttle = (email: string, client: ClientContext | undefined) => Promise<() => Promise<void>>

/** Returns the limit for a network: 5 times the limit for one account from this network, because many people may share the network. */
export function networkLimitOf(limit: AttemptLimit): AttemptLimit {
  return times(5, limit)
}

function accountLimitOf(limit: AttemptLimit): AttemptLimit {
  return times(10, limit)
}

function times(factor: number, { count, window }: AttemptLimit): AttemptLimit {
  return { count: factor * count, window }
}

export type ThrottleParts = { attempts: AttemptLimiter; digest: Digest; clock: Clock }

type CountsOf = (account: string, network: string | undefined) => AttemptCount[]

/** `limit` applies to one account from one network. */
export function createThrottle({
  limit,
  ...parts
}: ThrottleParts & { readonly limit: AttemptLimit }): Throttle {
  return throttleBy(parts, (account, network) => loginCounts(loginsOf(account), network, limit))
}

/**
 * Counts second-factor codes, which are always limited: within 15 minutes, five wrong codes for an account from one network and twenty from
 * all networks. Three of the million possible codes are valid at any time.
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

/** The names of an account's counts begin with this prefix; `account` is the digest of its email. */
const loginsOf = (account: string) => `login account ${account}`
const codesOf = (account: string) => `code account ${account}`

/**
 * Clears an account's login and code counts, so that the owner can try again immediately. Network counts remain, because they also include
 * attempts on other accounts. The counts of reset emails also remain, because they protect a mailbox.
 */
export async function clearAttempts(
  { attempts, digest }: Pick<ThrottleParts, 'attempts' | 'digest'>,
  email: string,
): Promise<void> {
  const account = accountOf(digest, email)
  await attempts.clear([loginsOf(account), codesOf(account)])
}

/** Only a digest is stored, because users may type anything into an email field. All spellings of an email count as one account. */
function accountOf(digest: Digest, email: string): string {
  return digestOf(digest, canonicalEmail(email) ?? email)
}

function throttleBy({ attempts, digest, clock }: ThrottleParts, countsOf: CountsOf): Throttle {
  return async (email, client) => {
    const at = clock()
    const outcome = await attempts.take(countsOf(accountOf(digest, email), rateLimitKey(client?.address)), at)
    // If another attempt was refunded in the meantime, there may be no time left to wait; this attempt was still refused, so the wait is at
    // least 1 ms.
    if (outcome.kind === 'refused') throw new TooManyAttempts(Math.max(outcome.until - at, 1))
    return () => attempts.refund(outcome.attempt)
  }
}

/**
 * An attacker at one address cannot lock out an owner at another address. Attempts without a known address are counted separately, with the
 * higher limit of the whole account, so that they do not use up the attempts of an owner whose address is known.
 */
function loginCounts(account: string, network: string | undefined, limit: AttemptLimit): AttemptCount[] {
  if (network === undefined) return [{ name: `${account} from anywhere`, limit: accountLimitOf(limit) }]
  return [
    { name: `${account} from ${network}`, limit },
    { name: `login network ${network}`, limit: networkLimitOf(limit) },
    { name: account, limit: accountLimitOf(limit) },
  ]
}

/** Runs `work` as an attempt on the account. A result of `undefined` counts as a wrong guess; every other attempt is refunded. */
export async function withAttemptCounted<T>(
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

/** Returns the digest of a string that must not be stored. */
export function digestOf(digest: Digest, text: string): string {
  const underWay = digest()
  underWay.update(text)
  return underWay.end()
}
