import { ANONYMOUS } from '../../domain/access/caller.js'
import type { Account } from '../../domain/identity/account.js'
import { canonicalEmail, formerEmail, type Email } from '../../domain/identity/email.js'
import type { Milliseconds } from '../../domain/instant.js'
import type { MailJob, MailJobId } from '../../domain/mail.js'
import { timePrefix } from '../../domain/time-ordered-id.js'
import type { Accounts } from '../../ports/accounts.js'
import type { Clock } from '../../ports/clock.js'
import type { MailQueue } from '../../ports/mail-queue.js'
import type { AuditTrail } from '../audit/audit-trail.js'

/**
 * Takes resets out of the queue that have no recipient, because no enabled account has the email: many at
 * once, so that a flood of them neither waits in front of other mails nor fills the queue while no
 * mail can leave. What stays is not touched. Any number of processes may do so.
 */
export type SiftMails = (isStopped?: () => boolean) => Promise<void>

/** Their accounts are looked up without a pause; a page of them holds up no request noticeably. */
const PAGE = 200
/** A job may come in after one of a later id: of another process, or while the disk was waited for. */
const LATEST: Milliseconds = 10_000

/**
 * It keeps how far it has looked, so that mails that wait for their server are not judged again and
 * again. A call while it looks waits for that look.
 */
export function createSiftMails(parts: {
  mailQueue: MailQueue
  accounts: Accounts
  audit: AuditTrail
  clock: Clock
}): SiftMails {
  let judged: MailJobId | undefined
  let underWay: Promise<void> | undefined

  async function sift(isStopped: () => boolean): Promise<void> {
    const at = parts.clock()
    let last = judged
    while (!isStopped()) {
      const page = await parts.mailQueue.waiting(last, at, PAGE)
      await discardJunk(parts, page)
      last = page.at(-1)?.id ?? last
      if (page.length < PAGE) break
    }
    const settled = timePrefix(at - LATEST) as MailJobId
    judged = last !== undefined && last < settled ? last : settled
  }

  return (isStopped = () => false) =>
    (underWay ??= sift(isStopped).finally(() => {
      underWay = undefined
    }))
}

/** The enabled account of an email as it was typed; `undefined` if no reset mail is to be sent. */
export async function resettableAccount(accounts: Accounts, typed: Email): Promise<Account | undefined> {
  const email = canonicalEmail(typed)
  const account = email === undefined ? undefined : await accounts.findByEmail(email, formerEmail(typed))
  return account?.disabledAt === undefined ? account : undefined
}

/** That a reset was requested in vain; a flood of it shares records. No email: people type all kinds of things. */
export async function recordAskInVain(audit: AuditTrail, { address, requestId }: MailJob): Promise<void> {
  const client = { address, requestId }
  await audit.tally({ event: 'reset.ask', caller: ANONYMOUS, outcome: 'failure', client })
}

/** Each is discarded by one worker only, which audits it, unless an earlier try has done so. */
async function discardJunk(
  { mailQueue, accounts, audit, clock }: Parameters<typeof createSiftMails>[0],
  page: readonly MailJob[],
): Promise<void> {
  const resets = page.filter(({ kind }) => kind === 'reset-password')
  const found = await Promise.all(resets.map((job) => resettableAccount(accounts, job.email)))
  const junk = resets.filter((_, index) => found[index] === undefined)
  if (junk.length === 0) return
  const discarded = new Set(
    await mailQueue.discard(
      junk.map(({ id }) => id),
      clock(),
    ),
  )
  const unrecorded = junk.filter(({ id, attempts }) => discarded.has(id) && attempts === 0)
  await Promise.all(unrecorded.map((job) => recordAskInVain(audit, job)))
}
