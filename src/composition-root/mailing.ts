import type { SiftMails } from '../application/mail/sift-mails.js'
import type { SendMails } from '../application/mail/send-mails.js'
import type { Clock } from '../ports/clock.js'
import type { Log } from '../ports/log.js'
import type { Mailer } from '../ports/mailer.js'

/** What other instances have queued and then left is found after this time. */
const LOOK_EVERY = 10_000
/** Timers may come a millisecond before their time. */
const TIMER_SLACK = 2

export type Mailing = {
  /** There is something to send. */
  wake(): void
  /** Stops; what is being sent at this moment is given up, and stays in the queue. */
  end(): Promise<void>
}

type Runs = {
  /** Once more, or where it is running when it has ended, once for all who ask meanwhile. */
  again(): void
  /** Resolves when nothing runs. */
  readonly underWay: Promise<void> | undefined
}

/**
 * Sends what is in the queue: at the start, when it is woken, after a pause, and every ten seconds.
 * Mails without a recipient are taken out of the queue beside that, also while mails are slow or none can leave.
 */
export function createMailing(
  { siftMails, sendMails }: { siftMails: SiftMails; sendMails: SendMails },
  mailer: Mailer,
  { clock, log }: { clock: Clock; log: Log },
): Mailing {
  let stopped = false
  let notBefore = 0
  const isStopped = () => stopped

  // The clock is asked in here alone: one that throws fails this run, and no timer.
  async function sendAll(): Promise<void> {
    if (clock() < notBefore) return
    const { againAt = 0 } = await sendMails(isStopped)
    notBefore = againAt
    if (againAt > 0) setTimeout(wake, againAt - clock() + TIMER_SLACK).unref()
  }

  const sending = createRuns(
    () =>
      sendAll().catch((error: unknown) => {
        if (!stopped) log.warn('sending mails failed; it will be tried again', { error })
      }),
    () => !stopped,
  )
  const sifting = createRuns(
    () =>
      siftMails(isStopped).catch((error: unknown) => {
        if (!stopped) log.warn('looking through the waiting mails failed; it will be tried again', { error })
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

/** Runs work one at a time, while it may run. */
function createRuns(work: () => Promise<void>, mayRun: () => boolean): Runs {
  let underWay: Promise<void> | undefined
  let askedMeanwhile = false

  function again(): void {
    if (!mayRun()) return
    if (underWay) {
      askedMeanwhile = true
      return
    }
    askedMeanwhile = false
    underWay = work().finally(() => {
      underWay = undefined
      if (askedMeanwhile) again()
    })
  }

  return {
    again,
    get underWay() {
      return underWay
    },
  }
}
