import type { AuditTrail } from '../application/audit/audit-trail.js'
import type { SendMails } from '../application/mail/send-mails.js'
import type { SiftMails } from '../application/mail/sift-mails.js'
import type { PurgeExpired } from '../application/purge-expired.js'
import type { Clock } from '../ports/system.js'
import type { Log } from '../ports/log.js'
import type { Mailer } from '../ports/mail.js'

const PURGE_EVERY = 10 * 60 * 1000
/** In milliseconds; a crash loses the counts of shared audit records that were queued during the last interval. */
const FLUSH_EVERY = 10_000

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

export type Background = ReturnType<typeof startBackground>

/**
 * Sends emails, removes expired records and flushes the audit trail, at regular intervals, by timers that do not keep the process alive.
 */
export function startBackground({ audit, purgeExpired, mails, clock, log }: BackgroundParts) {
  const flushing = setInterval(() => void audit.flush(), FLUSH_EVERY)
  flushing.unref()
  const purging = purgeExpired && startPurging(purgeExpired, log)
  const mailing = mails && createMailing(mails, mails.mailer, { clock, log })
  return {
    wakeMailing: () => mailing?.wake(),
    /** Stops the timers; resolves when the running work has ended and the queued audit counts have been written. */
    end: async (): Promise<void> => {
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

function startPurging(purgeExpired: PurgeExpired, log: Log) {
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

/** Interval in milliseconds at which the queue is checked for emails left by an instance that has ended. */
const LOOK_EVERY = 10_000
/** Timers may fire a millisecond early. */
const TIMER_SLACK = 2

export type MailWorker = ReturnType<typeof createMailing>

/**
 * Sends the queued emails at startup, when woken, after a pause, and every ten seconds. Reset emails for addresses without an enabled
 * account are removed from the queue separately, even while sending is slow or impossible.
 */
export function createMailing(
  { siftMails, sendMails }: { siftMails: SiftMails; sendMails: SendMails },
  mailer: Mailer,
  { clock, log }: { clock: Clock; log: Log },
) {
  let stopped = false
  let notBefore = 0
  const isStopped = () => stopped

  // The clock is read only here, so a clock that throws fails this run but no timer.
  async function sendAll(): Promise<void> {
    if (clock() < notBefore) return
    const { againAt = 0 } = await sendMails(isStopped)
    notBefore = againAt
    if (againAt > 0) setTimeout(wake, againAt - clock() + TIMER_SLACK).unref()
  }

  const sending = createRuns(
    () =>
      sendAll().catch((error: unknown) => {
        if (!stopped) log.warn('sending emails failed; it will be tried again', { error })
      }),
    () => !stopped,
  )
  const sifting = createRuns(
    () =>
      siftMails(isStopped).catch((error: unknown) => {
        if (!stopped)
          log.warn('removing unneeded emails from the queue failed; it will be tried again', { error })
      }),
    () => !stopped,
  )

  function wake(): void {
    sifting.again()
    sending.again()
  }

  const timer = setInterval(wake, LOOK_EVERY)
  timer.unref()
  wake()
  return {
    wake,
    /** Stops. An email stays in the queue while it is being sent. */
    end: async (): Promise<void> => {
      stopped = true
      clearInterval(timer)
      await mailer.close()
      await Promise.all([sending.underWay, sifting.underWay])
    },
  }
}

/** Runs `work`, never concurrently, and only while `mayRun` returns true. */
function createRuns(work: () => Promise<void>, mayRun: () => boolean) {
  let underWay: Promise<void> | undefined
  let askedMeanwhile = false

  function runAgain(): void {
    if (!mayRun()) return
    if (underWay) {
      askedMeanwhile = true
      return
    }
    askedMeanwhile = false
    underWay = work().finally(() => {
      underWay = undefined
      if (askedMeanwhile) runAgain()
    })
  }

  return {
    /** Runs `work` now. Calls during a run, however many, make `work` run once more afterwards. */
    again: runAgain,
    get underWay() {
      return underWay
    },
  }
}
