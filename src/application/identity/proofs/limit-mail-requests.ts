import { rateLimitKey } from '../../../domain/identity/address.js'
import type { Email } from '../../../domain/identity/email.js'
import type { PresentedPurpose } from '../../../domain/identity/proof.js'
import type { Instant } from '../../../domain/instant.js'
import { TooManyAttempts } from '../../../domain/refusal.js'
import type { ClientContext } from '../../client-context.js'
import { digestOf } from '../throttle.js'
import type { GivenShared } from '../../shared-parts.js'

/**
 * Counts a request for an email of this kind, and runs `queue`, which queues the email. Refunds the request if `queue` fails. If the
 * address has reached a limit, does not run `queue` and does not inform the caller; otherwise a stranger could keep the owner from
 * requesting an email. Addresses with and without an account are counted in the same way. Refuses with `too-many-attempts` if the client's
 * network has reached its limit.
 */
export type LimitMailRequests = (request: MailRequest, queue: () => Promise<unknown>) => Promise<void>

export type MailRequest = {
  readonly kind: 'reset' | PresentedPurpose
  readonly email: Email
  readonly client: ClientContext | undefined
}

const MINUTE = 60_000
/** Limits how many emails are sent to one address, so that no mailbox is flooded. The limit with the shortest window comes first. */
const MAILS = {
  minute: { count: 1, window: MINUTE },
  hour: { count: 5, window: 60 * MINUTE },
} as const

type Parts = GivenShared<['attempts', 'digest', 'clock', 'networkLimit']>

/** Creates the rate limits for addresses and networks. */
export function createLimitMailRequests(parts: Parts): LimitMailRequests {
  return async ({ kind, email, client }, queue) => {
    const at = parts.clock()
    await countNetwork(parts, kind, { client, at })
    // Only a digest is stored, because users may type anything into an email field.
    const name = digestOf(parts.digest, email)
    const counts = Object.entries(MAILS).map(([time, limit]) => ({
      name: `${kind} mail ${time} ${name}`,
      limit,
    }))
    const outcome = await parts.attempts.take(counts, at)
    if (outcome.kind !== 'taken') return
    try {
      await queue()
    } catch (error) {
      await parts.attempts.refund(outcome.attempt)
      throw error
    }
  }
}

/** A network's count is never refunded: a request counts even if no email is sent. */
async function countNetwork(
  { attempts, networkLimit: limit }: Pick<Parts, 'attempts' | 'networkLimit'>,
  kind: string,
  { client, at }: { readonly client: ClientContext | undefined; readonly at: Instant },
): Promise<void> {
  const network = rateLimitKey(client?.address)
  if (network === undefined || limit === undefined) return
  const outcome = await attempts.take([{ name: `${kind} address ${network}`, limit }], at)
  if (outcome.kind === 'refused') throw new TooManyAttempts(outcome.until - at)
}
