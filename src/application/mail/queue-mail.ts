import type { Email } from '../../domain/identity/email.js'
import { NOTICE_KINDS, type MailJobId, type MailKind, type NoticeTopic } from '../../domain/mail.js'
import { defined } from '../../domain/plain-data.js'
import { refuse } from '../../domain/refusal.js'
import type { TimeOrderedIds } from '../../domain/instant.js'
import type { Clock } from '../../ports/system.js'
import type { Log } from '../../ports/log.js'
import type { MailQueue } from '../../ports/mail.js'
import type { ClientContext } from '../client-context.js'

/**
 * Puts an email into the store's queue; once the call resolves, the email will be sent even if this process ends. `about` is the
 * information that a notice reports; `id` is the ID of the proof that the email contains. Refuses with `overloaded` if too many emails are
 * queued.
 */
export type QueueMail = (
  kind: MailKind,
  email: Email,
  client?: ClientContext,
  more?: { readonly about?: string | undefined; readonly id?: MailJobId },
) => Promise<void>

/** The limit is higher than the number of emails that are queued in an hour without a mail server, but low enough to stop a flood. */
const MOST_WAITING = 100_000

type QueueMailParts = {
  mailQueue: MailQueue
  timeOrderedIds: TimeOrderedIds
  clock: Clock
  onQueued?: (() => void) | undefined
}

export function createQueueMail(parts: QueueMailParts): QueueMail {
  return async (kind, email, client, { about, id } = {}) => {
    const askedAt = parts.clock()
    const job = {
      id: id ?? (parts.timeOrderedIds(askedAt) as MailJobId),
      kind,
      email,
      askedAt,
      ...defined({ address: client?.address, requestId: client?.requestId, about }),
      attempts: 0,
    }
    if ((await parts.mailQueue.enqueue(job, MOST_WAITING)) === 'full')
      throw refuse('overloaded', 'Unavailable', 'Too many emails are waiting, try again later.')
    parts.onQueued?.()
  }
}

export type Notice = {
  readonly email: Email
  readonly client?: ClientContext | undefined
  /** The short name of a client, a `FactorChange` or a `PasskeyChange`; never a secret. */
  readonly about?: string | undefined
}

/** Emails account owners about changes to their accounts, so that they notice a stranger's actions. */
export type Notices = {
  /**
   * Queues a notice if its topic is enabled. If `notice` is a function, it is called only if the topic is enabled, and may return
   * `undefined` to send no notice. Never rejects, because the change has already been made; errors are logged.
   */
  send(topic: NoticeTopic, notice: Notice | (() => Promise<Notice | undefined>)): Promise<void>
}

export type NoticesParts = Omit<QueueMailParts, 'mailQueue'> & {
  topics: readonly NoticeTopic[]
  /** Without a queue, no notices are sent. */
  mailQueue?: MailQueue | undefined
  log?: Log | undefined
}

export function createNotices({ topics, mailQueue, log, ...parts }: NoticesParts): Notices {
  const queueMail = mailQueue && createQueueMail({ ...parts, mailQueue })
  return {
    async send(topic, notice) {
      if (!queueMail || !topics.includes(topic)) return
      try {
        const found = typeof notice === 'function' ? await notice() : notice
        if (found) await queueMail(NOTICE_KINDS[topic], found.email, found.client, { about: found.about })
      } catch (error) {
        log?.error('a notice was not queued', { error, detail: topic })
      }
    },
  }
}
