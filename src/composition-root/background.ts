// Starts the periodic work of a process: purging, sending emails and writing queued audit records.
import type { AuditTrail } from '../application/audit/audit-trail.js'
import type { SendMails } from '../application/mail/send-mails.js'
import type { SiftMails } from '../application/mail/sift-mails.js'
import type { PurgeExpired } from '../application/purge-expired.js'
import type { Clock } from '../ports/system.js'
import type { Log } from '../ports/log.js'
import type { Mailer } from '../ports/mail.js'
import { createMailing } from './mailing.js'

const PURGE_EVERY = 10 * 60 * 1000
/** In milliseconds; a crash loses the counts of shared audit records that were queued during the last interval. */
const FLUSH_EVERY = 10_000

/** The parts that the background timers call. */
export type BackgroundParts = {
  readonly audit: Pick<AuditTrail, 'flush'>
  /** Present only if no other process purges. */
  readonly purgeExpired?: PurgeExpired | undefined
  /** Present only if emails can be sent. */
  readonly mails?:
    { readonly mailer: Mailer; readonly sendMails: SendMails; readonly siftMails: SiftMails } | undefined
  readonly clock: Clock
  readonly log: Log
}

/** Background work, run by timers that do not keep the process alive. */
export type Background = {
  /** Sends the queued emails soon. */
  wakeMailing(): void
  /** Stops the timers; resolves when the running work has ended and the queued audit counts have been written. */
  end(): Promise<void>
}

/** Sends emails, removes expired records and flushes the audit trail, at regular intervals. */
export function startBackground({ audit, purgeExpired, mails, clock, log }: BackgroundParts): Background {
  const flushing = setInterval(() => void audit.flush(), FLUSH_EVERY)
  flushing.unref()
  const purging = purgeExpired && startPurging(purgeExpired, log)
  const mailing = mails && createMailing(mails, mails.mailer, { clock, log })
  return {
    wakeMailing: () => mailing?.wake(),
    end: async () => {
      clearInterval(flushing)
      try {
        try {
          await mailing?.end()
        } finally {
          await purging?.end()
        }
      } finally {
        // Must run last, because sending and purging also write audit records.
        await audit.flush()
      }
    },
  }
}

/** Purges at startup and then every ten minutes. */
function startPurging(purgeExpired: PurgeExpired, log: Log): { end(): Promise<void> } {
  let underWay = Promise.resolve()
  const stopping = new AbortController()
  const purge = () => {
    underWay = underWay
      .then(() => purgeExpired(stopping.signal))
      .then(
        (count) => log.debug('purged expired records', { count }),
        (error: unknown) => log.warn('purging failed; it will be tried again', { error }),
      )
  }
  const timer = setInterval(purge, PURGE_EVERY)
  timer.unref()
  purge()
  return {
    end: async () => {
      clearInterval(timer)
      stopping.abort()
      await underWay
    },
  }
}
