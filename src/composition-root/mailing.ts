import { CommandFault } from '../adapters/oclif/operation.js'
import type { SendMails } from '../application/mail/send-mails.js'
import type { Clock } from '../ports/clock.js'
import type { Log } from '../ports/log.js'
import type { Mailer, MailTemplates } from '../ports/mailer.js'
import type { Configuration } from './configuration.js'

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

/** Sends what is in the queue: at the start, when it is woken, after a pause, and every ten seconds. */
export function createMailing(
  sendMails: SendMails,
  mailer: Mailer,
  { clock, log }: { clock: Clock; log: Log },
): Mailing {
  let underWay: Promise<void> | undefined
  let wokenMeanwhile = false
  let stopped = false
  let notBefore = 0

  async function sendAll(): Promise<void> {
    try {
      const { againAt = 0 } = await sendMails(() => stopped)
      notBefore = againAt
      if (againAt > 0) setTimeout(wake, againAt - clock() + TIMER_SLACK).unref()
    } catch (error) {
      if (!stopped) log.warn('sending mails failed; it will be tried again', { error })
    }
  }

  function wake(): void {
    if (stopped || clock() < notBefore) return
    if (underWay) {
      wokenMeanwhile = true
      return
    }
    wokenMeanwhile = false
    underWay = sendAll().finally(() => {
      underWay = undefined
      if (wokenMeanwhile) wake()
    })
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
      await underWay
    },
  }
}

/** What stands in the mail of a reset: how long its token is good, and the page that it leads to. */
export function resetMail({ identity }: Configuration, publicUrl: string) {
  const { resetTokenTtl, resetUrl = `${publicUrl}/reset-password` } = identity
  return { resetTokenTtl, resetUrl }
}

/** How mails leave, as the configuration says; undefined where none can. Throws a `CommandFault`. */
export async function openMail(
  { mail }: Configuration,
  clock: Clock,
): Promise<{ readonly mailer: Mailer; readonly templates: MailTemplates } | undefined> {
  const { delivery, from, templates: folder } = mail
  const { loadMailTemplates } = await import('../adapters/mustache/index.js')
  const loaded = loadMailTemplates(folder)
  if (!loaded.ok) throw new CommandFault(loaded.faults.map((fault) => `MAIL_TEMPLATES: ${fault}`))
  if (!delivery) return undefined
  const { createOutboxMailer, createSmtpMailer } = await import('../adapters/nodemailer/index.js')
  const mailer =
    delivery.kind === 'smtp'
      ? createSmtpMailer({ url: delivery.url, from })
      : createOutboxMailer({ folder: delivery.folder, from, clock })
  return { mailer, templates: loaded.templates }
}
