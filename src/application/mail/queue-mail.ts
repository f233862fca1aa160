import { defined } from '../../domain/defined.js'
import type { Email } from '../../domain/identity/email.js'
import type { MailJobId, MailKind } from '../../domain/mail.js'
import { refuse } from '../../domain/refusal.js'
import type { Clock } from '../../ports/clock.js'
import type { MailQueue } from '../../ports/mail-queue.js'
import type { ClientContext } from '../client-context.js'
import type { TimeOrderedIds } from '../time-ordered-ids.js'

/**
 * Puts a mail into the store's queue: when it resolves, the mail will leave even if this process ends. `about` is the
 * subject of a notice. Refuses with `overloaded` if too many mails wait.
 */
export type QueueMail = (
  kind: MailKind,
  email: Email,
  client?: ClientContext,
  about?: string,
) => Promise<void>

/** More mails than arrive in an hour without a mail server; the limit stops a flood. */
const MOST_WAITING = 100_000

export function createQueueMail(parts: {
  mailQueue: MailQueue
  timeOrderedIds: TimeOrderedIds
  clock: Clock
  onQueued?: (() => void) | undefined
}): QueueMail {
  return async (kind, email, client, about) => {
    const askedAt = parts.clock()
    const job = {
      id: parts.timeOrderedIds(askedAt) as MailJobId,
      kind,
      email,
      askedAt,
      ...defined({ address: client?.address, requestId: client?.requestId, about }),
      attempts: 0,
    }
    if ((await parts.mailQueue.enqueue(job, MOST_WAITING)) === 'full')
      throw refuse('overloaded', 'Unavailable', 'Too many mails are waiting, try again later.')
    parts.onQueued?.()
  }
}
