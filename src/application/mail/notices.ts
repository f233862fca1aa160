import type { Email } from '../../domain/identity/email.js'
import { NOTICE_KINDS, type NoticeTopic } from '../../domain/mail.js'
import type { Clock } from '../../ports/clock.js'
import type { Log } from '../../ports/log.js'
import type { MailQueue } from '../../ports/mail-queue.js'
import type { ClientContext } from '../client-context.js'
import type { TimeOrderedIds } from '../time-ordered-ids.js'
import { createQueueMail } from './queue-mail.js'

/** What an account is told. */
export type Notice = {
  /** The account's. */
  readonly email: Email
  /** Where it came from, which the mail tells. */
  readonly client?: ClientContext | undefined
  /** The short name of a client, or a `FactorChange`; never what is secret. */
  readonly about?: string | undefined
}

/** Tells accounts by mail what was done with them: what their owner has not done is no secret then. */
export type Notices = {
  /**
   * Queues a notice where its topic is wanted; one that has to be found out first, and may turn out to be none, is looked
   * for only then. Never rejects: what it tells of is done by then, and the caller is told so, whatever becomes of the
   * mail. One that cannot be queued is logged.
   */
  send(topic: NoticeTopic, notice: Notice | (() => Promise<Notice | undefined>)): Promise<void>
}

/** What sending notices is made of. */
export type NoticesParts = {
  /** Those that are wanted. */
  topics: readonly NoticeTopic[]
  /** Without one none is sent. */
  mailQueue?: MailQueue | undefined
  timeOrderedIds: TimeOrderedIds
  clock: Clock
  /** Is told that there is something to send. */
  onQueued?: (() => void) | undefined
  log?: Log | undefined
}

/** Of a store that has no queue it sends none. */
export function createNotices({ topics, mailQueue, log, ...parts }: NoticesParts): Notices {
  const queueMail = mailQueue && createQueueMail({ ...parts, mailQueue })
  return {
    async send(topic, notice) {
      if (!queueMail || !topics.includes(topic)) return
      try {
        const found = typeof notice === 'function' ? await notice() : notice
        if (found) await queueMail(NOTICE_KINDS[topic], found.email, found.client, found.about)
      } catch (error) {
        log?.error('a notice was not queued', { error, detail: topic })
      }
    },
  }
}
