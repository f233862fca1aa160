import type { Instant, Milliseconds } from '../../domain/instant.js'
import type { MailJob, MailKind } from '../../domain/mail.js'
import type { MailClaim, Delivery, Mail, Mailer } from '../../ports/mail.js'
import { PartFailure, type MakeMail } from './make-mail.js'
import type { SiftMails } from './sift-mails.js'
import type { GivenShared } from '../shared-parts.js'
import { isBrokenPart } from '../wrap-port.js'

/** Sends the due emails, oldest request first, until no email is left, no email can be sent, or `isStopped` returns `true`. */
export type SendMails = (isStopped?: () => boolean) => Promise<SendOutcome>
/** `sent` is the number of emails sent; `againAt` is the time of the next attempt if no email can be sent now. */
export type SendOutcome = { readonly sent: number; readonly againAt?: Instant }

export type SendMailsParts = GivenShared<['mailQueue', 'clock', 'log']> & {
  makeMail: MakeMail
  siftMails: SiftMails
  mailer: Mailer
}

/** How long a claim is valid: longer than any delivery takes, so that a claim expires only if its process has ended. */
const CLAIM: Milliseconds = 2 * 60_000
/** The delay between two attempts to send one email, doubled each time: 1, 2, 4 … 16 minutes. */
const FIRST_DEFERRAL: Milliseconds = 60_000
const DEFERRAL_DOUBLINGS = 4
/** The delay between two attempts to reach the mail server, doubled each time: 1 s … 64 s. */
const FIRST_PAUSE: Milliseconds = 1_000
const PAUSE_DOUBLINGS = 6
/** After this many failed attempts, the email itself may be causing the connection failures. */
const SUSPICIOUS = 10
/** After this time, the email is useless and is no longer sent. */
const GIVE_UP: Milliseconds = 3 * 24 * 60 * 60_000

/** Counts consecutive failures to send any email, and waits longer after each failure. */
export function createSendMails(parts: SendMailsParts): SendMails {
  const { mailQueue, clock, log } = parts
  let failures = 0

  /** The email stays first in the queue, so that emails keep their order. */
  function pause(detail: string): Instant {
    if (failures === 0) log?.warn('email cannot be sent', { detail })
    const againAt = clock() + FIRST_PAUSE * 2 ** Math.min(failures, PAUSE_DOUBLINGS)
    failures += 1
    return againAt
  }

  function noteReachable(): void {
    if (failures > 0) log?.info('emails can be sent again')
    failures = 0
  }

  /** Claims the first due email and tries to send it; then removes or postpones it, or leaves it claimed if the server is unreachable. */
  async function tryNext(tally: Tally): Promise<TryOutcome> {
    const until = clock() + CLAIM
    const job = await mailQueue.claim(clock(), until)
    if (!job) return { kind: 'nothing' }
    const claimed = { job, claim: { id: job.id, until } }
    const end = await deliver(parts, job)
    if (end.kind === 'unreachable' && clock() < job.askedAt + GIVE_UP)
      return { kind: 'unreachable', claimed, detail: end.detail }
    await settle(parts, claimed, end)
    if (wasThere(end.kind)) noteReachable()
    if (end.kind === 'sent') tally.sent += 1
    return { kind: 'settled', end: end.kind }
  }

  /** Resolves with `true` if this email itself causes the failure and other emails can still be delivered. */
  async function isAboutMail({ attempts }: MailJob, tally: Tally): Promise<boolean> {
    const other: TryOutcome = attempts < SUSPICIOUS ? { kind: 'nothing' } : await tryNext(tally)
    if (other.kind === 'unreachable') await mailQueue.postpone(other.claimed.claim, clock())
    return other.kind === 'settled' && wasThere(other.end)
  }

  return async (isStopped = () => false) => {
    const tally = { sent: 0 }
    while (!isStopped()) {
      const one = await tryNext(tally)
      if (one.kind === 'nothing') break
      if (one.kind === 'settled') {
        // Removes useless emails in bulk, because many of them could delay an email that a user is waiting for.
        if (one.end === 'unneeded') await parts.siftMails(isStopped)
        continue
      }
      // If this process is stopping, the mail server is not the cause of the failure.
      const aside = !isStopped() && (await isAboutMail(one.claimed.job, tally))
      await mailQueue.postpone(one.claimed.claim, clock() + (aside ? FIRST_DEFERRAL : 0))
      if (!aside) return isStopped() ? tally : { ...tally, againAt: pause(one.detail) }
    }
    return tally
  }
}

type Tally = { sent: number }

type TryOutcome =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'settled'; readonly end: DeliveryEnd['kind'] }
  | { readonly kind: 'unreachable'; readonly claimed: ClaimedJob; readonly detail: string }

/** The queue ignores the claim once it has expired. */
type ClaimedJob = { readonly job: MailJob; readonly claim: MailClaim }

type DeliveryEnd = Delivery | { readonly kind: 'unneeded' }

function wasThere(end: DeliveryEnd['kind']): boolean {
  return end !== 'unneeded' && end !== 'unreachable'
}

/**
 * A custom mailer may throw although its port forbids it: the cause may be the server or the email, as for `unreachable`. A template throws
 * only because of the email, which is deferred, so that it neither delays other emails nor is retried forever.
 */
async function deliver({ makeMail, mailer, log }: SendMailsParts, job: MailJob): Promise<DeliveryEnd> {
  try {
    const mail = await makeMail(job)
    return mail ? await sent(mailer, mail) : { kind: 'unneeded' }
  } catch (error) {
    if (!(error instanceof PartFailure)) throw error
    log?.warn('sending emails failed; it will be tried again', { error: error.cause })
    return error.end
  }
}

async function sent(mailer: Mailer, mail: Mail): Promise<Delivery> {
  try {
    return await mailer.send(mail)
  } catch (cause) {
    if (isBrokenPart(cause)) throw cause
    throw new PartFailure({ kind: 'unreachable', detail: 'The mailer threw an error.' }, cause)
  }
}

async function settle(
  { mailQueue, clock, log }: SendMailsParts,
  { job, claim }: ClaimedJob,
  end: DeliveryEnd,
): Promise<void> {
  const at = clock()
  if (end.kind === 'deferred' && at < job.askedAt + GIVE_UP) {
    const pause = FIRST_DEFERRAL * 2 ** Math.min(job.attempts, DEFERRAL_DOUBLINGS)
    await mailQueue.postpone(claim, at + pause)
    return
  }
  if (end.kind !== 'sent' && end.kind !== 'unneeded') {
    const fields = { detail: end.detail, count: job.attempts + 1 }
    if (end.kind !== 'unreachable' && TYPED.includes(job.kind))
      log?.warn('an email to an unconfirmed address was discarded', fields)
    else log?.error('an email was discarded as undeliverable', fields)
  }
  await mailQueue.remove(claim)
}

/** Anyone can request these emails for an address that does not exist; such requests must not alert an operator. */
const TYPED: readonly MailKind[] = ['sign-up', 'change-email']
