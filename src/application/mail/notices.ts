import type { Email } from '../../domain/identity/email.js'
import { NOTICE_KINDS, type NoticeTopic } from '../../domain/mail.js'
import type { Clock } from '../../ports/clock.js'
import type { Log } from '../../ports/log.js'
import type { MailQueue } from '../../ports/mail-queue.js'
import type { ClientContext } from '../client-context.js'
import type { TimeOrderedIds } from '../time-ordered-ids.js'
import { createQueueMail } from './queue-mail.js'

/** A notice to an account. */
export type Notice = {
  readonly email: Email
  readonly client?: ClientContext | undefined
  /** The short name of a client, or a `FactorChange`; never a secret. */
  readonly about?: string | undefined
}

/** Mails to account owners about changes of their accounts, so that an owner notices the action of a stranger. */
export type Notices = {
  /**
   * Queues a notice if its topic is wanted. A function is called only then, and may return `undefined` to send no
   * notice. Never rejects, because the change is done: an error is logged.
   */
  send(topic: NoticeTopic, notice: Notice | (() => Promise<Notice | undefined>)): Promise<void>
}

export type NoticesParts = {
  topics: readonly NoticeTopic[]
  /** Without a queue no notice is sent. */
  mailQueue?: MailQueue | undefined
  timeOrderedIds: TimeOrderedIds
  clock: Clock
  onQueued?: (() => void) | undefined
  log?: Log | undefined
}

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
