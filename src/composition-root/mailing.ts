// Creates the worker that sends queued emails.
import type { SiftMails } from '../application/mail/sift-mails.js'
import type { SendMails } from '../application/mail/send-mails.js'
import type { Clock } from '../ports/system.js'
import type { Log } from '../ports/log.js'
import type { Mailer } from '../ports/mail.js'

/** Interval in milliseconds at which the queue is checked for emails left by an instance that has ended. */
const LOOK_EVERY = 10_000
/** Timers may fire a millisecond early. */
const TIMER_SLACK = 2

/** Sends queued emails in the background. */
export type MailWorker = {
  /** Checks the mail queue immediately. */
  wake(): void
  /** Stops. An email stays in the queue while it is being sent. */
  end(): Promise<void>
}

type Runs = {
  /** Runs `work` now; any number of calls during a run cause one more run afterwards. */
  again(): void
  /** Resolves when `work` has ended. */
  readonly underWay: Promise<void> | undefined
}

/**
 * Sends the queued emails at startup, when woken, after a pause, and every ten seconds. Reset emails for addresses without an enabled
 * account are removed from the queue separately, even while sending is slow or impossible.
 */
export function createMailing(
  { siftMails, sendMails }: { siftMails: SiftMails; sendMails: SendMails },
  mailer: Mailer,
  { clock, log }: { clock: Clock; log: Log },
): MailWorker {
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
    end: async () => {
      stopped = true
      clearInterval(timer)
      await mailer.close()
      await Promise.all([sending.underWay, sifting.underWay])
    },
  }
}

/** Runs `work`, never concurrently, and only while `mayRun` returns true. */
function createRuns(work: () => Promise<void>, mayRun: () => boolean): Runs {
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
    again: runAgain,
    get underWay() {
      return underWay
    },
  }
}
