import type { Email } from '../../domain/identity/email.js'
import type { MailJobId, MailKind } from '../../domain/mail.js'
import { refuse } from '../../domain/refusal.js'
import type { Clock } from '../../ports/clock.js'
import type { MailQueue } from '../../ports/mail-queue.js'
import type { ClientContext } from '../client-context.js'
import type { TimeOrderedIds } from '../time-ordered-ids.js'

/**
 * Puts a mail into the store's queue: when it resolves the mail will leave, whatever becomes of
 * this process. `about` is what a notice tells beside its kind. Refuses with `overloaded` where too many wait.
 */
export type QueueMail = (
  kind: MailKind,
  email: Email,
  client?: ClientContext,
  about?: string,
) => Promise<void>

/** Far more than an hour without a mail server gathers; who floods the queue gets no further. */
const MOST_WAITING = 100_000

/** `onQueued` is told after a mail is in the queue: time to send. */
export function createQueueMail(parts: {
  mailQueue: MailQueue
  timeOrderedIds: TimeOrderedIds
  clock: Clock
  /** Is told that there is something to send. */
  onQueued?: (() => void) | undefined
}): QueueMail {
  return async (kind, email, client, about) => {
    const askedAt = parts.clock()
    const job = {
      id: parts.timeOrderedIds(askedAt) as MailJobId,
      kind,
      email,
      askedAt,
      ...(client?.address !== undefined && { address: client.address }),
      ...(client?.requestId !== undefined && { requestId: client.requestId }),
      ...(about !== undefined && { about }),
      attempts: 0,
    }
    if ((await parts.mailQueue.enqueue(job, MOST_WAITING)) === 'full')
      throw refuse('overloaded', 'Unavailable', 'Too many mails are waiting, try again later.')
    parts.onQueued?.()
  }
}
