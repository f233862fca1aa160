import type { AuditTrail } from '../application/audit/audit-trail.js'
import type { SendMails } from '../application/mail/send-mails.js'
import type { SiftMails } from '../application/mail/sift-mails.js'
import type { PurgeExpired } from '../application/purge-expired.js'
import type { Clock } from '../ports/clock.js'
import type { Log } from '../ports/log.js'
import type { Mailer } from '../ports/mailer.js'
import { createMailing } from './mailing.js'

const PURGE_EVERY = 10 * 60 * 1000
/** What a crash loses of the counts of shared records, in milliseconds. */
const FLUSH_EVERY = 10_000

/** What the timers call. */
export type BackgroundParts = {
  readonly audit: Pick<AuditTrail, 'flush'>
  /** Only where no other process does it. */
  readonly purgeExpired?: PurgeExpired | undefined
  /** Only where mails can leave. */
  readonly mails?:
    { readonly mailer: Mailer; readonly sendMails: SendMails; readonly siftMails: SiftMails } | undefined
  readonly clock: Clock
  readonly log: Log
}

/** Work beside the requests, by timers that keep no process alive. */
export type Background = {
  /** There is a mail to send. */
  wakeMailing(): void
  /** Stops after what is under way, and after everything that was held back of the audit log is written. */
  end(): Promise<void>
}

/** Sends mails, removes what has expired and writes what the audit trail holds back; for one that is `batched`. */
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
        // Last, since the others audit what they find.
        await audit.flush()
      }
    },
  }
}

/** At the start, and then every ten minutes. */
function startPurging(purgeExpired: PurgeExpired, log: Log): { end(): Promise<void> } {
  let underWay = Promise.resolve()
  const stopping = new AbortController()
  const purge = () => {
    underWay = underWay
      .then(() => purgeExpired(stopping.signal))
      .then(
        (count) => {
          log.debug('purged what has expired', { count })
        },
        (error: unknown) => {
          log.warn('purging failed; it will be tried again', { error })
        },
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
