import { rateLimitKey } from '../../../domain/identity/rate-limit-key.js'
import type { Email } from '../../../domain/identity/email.js'
import { TooManyAttempts } from '../../../domain/refusal.js'
import type { AttemptLimit, AttemptLimiter } from '../../../ports/attempt-limiter.js'
import type { Clock } from '../../../ports/clock.js'
import type { Digest } from '../../../ports/digest.js'
import type { ClientContext } from '../../client-context.js'
import { digestOf } from '../throttle.js'

/**
 * Counts an ask for a reset. Resolves with what refunds it, for where no mail can be queued, or
 * with `undefined` where the email has had its mails for now: then none is to be sent, and no caller is
 * told, or a stranger who asks could keep the owner from asking. Whether the email is an account's
 * makes no difference. Refuses with `too-many-attempts` where the client's network is at its limit.
 */
export type LimitResetRequests = (
  email: Email,
  client: ClientContext | undefined,
) => Promise<(() => Promise<void>) | undefined>

const MINUTE = 60_000
/** Of mails to one email, so that no mailbox is flooded. The narrowest comes first. */
const MAILS = {
  minute: { count: 1, window: MINUTE },
  hour: { count: 5, window: 60 * MINUTE },
} as const

/** `networkLimit` is of asks from one network (IPv6 by /64), whatever the emails; none where they are not limited. */
export function createLimitResetRequests(parts: {
  attempts: AttemptLimiter
  digest: Digest
  clock: Clock
  networkLimit?: AttemptLimit | undefined
}): LimitResetRequests {
  return async (email, client) => {
    const at = parts.clock()
    await countNetwork(parts, client, at)
    // People type all kinds of things where an email belongs: only a digest of it is kept.
    const name = digestOf(parts.digest, email)
    const counts = Object.entries(MAILS).map(([time, limit]) => ({
      name: `reset mail ${time} ${name}`,
      limit,
    }))
    const outcome = await parts.attempts.take(counts, at)
    return outcome.kind === 'taken' ? () => parts.attempts.refund(outcome.attempt) : undefined
  }
}

/** Never refunded: an ask is one whether or not a mail leaves. */
async function countNetwork(
  {
    attempts,
    networkLimit: limit,
  }: Pick<Parameters<typeof createLimitResetRequests>[0], 'attempts' | 'networkLimit'>,
  client: ClientContext | undefined,
  at: number,
): Promise<void> {
  const network = rateLimitKey(client?.address)
  if (network === undefined || limit === undefined) return
  const outcome = await attempts.take([{ name: `reset address ${network}`, limit }], at)
  if (outcome.kind === 'refused') throw new TooManyAttempts(outcome.until - at)
}
