import type { Instant, Milliseconds } from '../../domain/instant.js'
import type { MailJob } from '../../domain/mail.js'
import type { Clock } from '../../ports/clock.js'
import type { Log } from '../../ports/log.js'
import type { MailQueue } from '../../ports/mail-queue.js'
import type { Delivery, Mailer } from '../../ports/mailer.js'
import type { MakeMail } from './make-mail.js'

/**
 * Sends what is due, one mail after the other in the order in which they were asked for, until
 * nothing is left, nothing can leave or `isStopped` says so. Resolves with how many have left and,
 * where no mail can leave at the moment, with when to try again. Any number of processes may do so.
 */
export type SendMails = (isStopped?: () => boolean) => Promise<SendOutcome>
export type SendOutcome = { readonly sent: number; readonly againAt?: Instant }

export type SendMailsParts = {
  mailQueue: MailQueue
  makeMail: MakeMail
  mailer: Mailer
  clock: Clock
  log?: Log | undefined
}

/** Longer than any delivery takes: only a process that has ended leaves a mail that long. */
const CLAIM: Milliseconds = 5 * 60_000
/** Between two tries of the one mail, doubled each time: 1, 2, 4 … 64 minutes. */
const FIRST_DEFERRAL: Milliseconds = 60_000
const MOST_DOUBLINGS = 6
/** Between two tries of the mail server, doubled each time: 1 s … 64 s. */
const FIRST_PAUSE: Milliseconds = 1_000
/** Then nobody waits for the mail any more. */
const GIVE_UP: Milliseconds = 3 * 24 * 60 * 60_000

export function createSendMails(parts: SendMailsParts): SendMails {
  const { mailQueue, clock, log } = parts
  let failures = 0

  /** Nothing leaves: the mail stays the first of the queue, so that the order is kept. */
  async function pause(job: MailJob, detail: string): Promise<Instant> {
    const at = clock()
    if (failures === 0) log?.warn('no mail can leave', { detail })
    await mailQueue.postpone(job.id, at)
    const againAt = at + FIRST_PAUSE * 2 ** Math.min(failures, MOST_DOUBLINGS)
    failures += 1
    return againAt
  }

  function reached(): void {
    if (failures > 0) log?.info('mails leave again')
    failures = 0
  }

  return async (isStopped = () => false) => {
    let sent = 0
    while (!isStopped()) {
      const job = await mailQueue.claim(clock(), clock() + CLAIM)
      if (!job) return { sent }
      const delivery = await deliver(parts, job)
      if (delivery.kind === 'unreachable' && clock() < job.askedAt + GIVE_UP)
        return { sent, againAt: await pause(job, delivery.detail) }
      if (delivery.kind !== 'unneeded' && delivery.kind !== 'unreachable') reached()
      if (delivery.kind === 'sent') sent += 1
      await settle(parts, job, delivery)
    }
    return { sent }
  }
}

type Ending = Delivery | { readonly kind: 'unneeded' }

/** A mail is made anew for each try, with a token of its own. */
async function deliver({ makeMail, mailer }: SendMailsParts, job: MailJob): Promise<Ending> {
  const mail = await makeMail(job)
  return mail ? await mailer.send(mail) : { kind: 'unneeded' }
}

async function settle({ mailQueue, clock, log }: SendMailsParts, job: MailJob, end: Ending): Promise<void> {
  const at = clock()
  if (end.kind === 'deferred' && at < job.askedAt + GIVE_UP) {
    await mailQueue.postpone(job.id, at + FIRST_DEFERRAL * 2 ** Math.min(job.attempts, MOST_DOUBLINGS))
    return
  }
  if (end.kind !== 'sent' && end.kind !== 'unneeded')
    log?.error('a mail was given up', { detail: end.detail, count: job.attempts + 1 })
  await mailQueue.remove(job.id)
}
