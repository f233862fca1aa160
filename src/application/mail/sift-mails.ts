import { ANONYMOUS } from '../../domain/access/caller.js'
import type { Account, AccountId } from '../../domain/identity/account.js'
import { canonicalEmail, formerEmail, type Email } from '../../domain/identity/email.js'
import { type Milliseconds, timePrefix } from '../../domain/instant.js'
import { ASKED_BY_OPERATOR, type MailJob, type MailJobId } from '../../domain/mail.js'
import type { Accounts } from '../../ports/accounts.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { GivenShared } from '../shared-parts.js'

/**
 * Removes reset emails from the queue if they have no recipient because no enabled account has the email. Many emails are removed in one
 * step, so that a flood of such emails neither delays other emails nor fills the queue while no email can be sent. Any number of processes
 * may run this function at the same time.
 */
export type SiftMails = (isStopped?: () => boolean) => Promise<void>

/** The accounts of a page are looked up without a pause; a page of this size does not delay any request noticeably. */
const PAGE = 200
/** Because processes write concurrently and disks may be slow, a job may be stored this much later than its ID indicates. */
const LATEST: Milliseconds = 10_000

/** Remembers the last email that was checked, so that no email is checked twice. Concurrent calls share one run. */
export function createSiftMails(parts: GivenShared<['mailQueue', 'accounts', 'audit', 'clock']>): SiftMails {
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

/** Resolves with the enabled account that the entered email belongs to, or with `undefined` if no reset email should be sent. */
export async function resettableAccount(accounts: Accounts, typed: Email): Promise<Account | undefined> {
  const email = canonicalEmail(typed)
  const account = email === undefined ? undefined : await accounts.findByEmail(email, formerEmail(typed))
  return account?.disabledAt === undefined ? account : undefined
}

/**
 * Audits a reset request. Requests that match no account share records, so a flood of requests writes few records. These records omit the
 * entered email, because users may type anything into the field, even a password. Requests by operators are already audited.
 */
export async function recordAsk(
  audit: AuditTrail,
  { address, requestId, about }: MailJob,
  subject?: AccountId,
): Promise<void> {
  if (about === ASKED_BY_OPERATOR) return
  const entry = { event: 'reset.ask', caller: ANONYMOUS, client: { address, requestId } } as const
  await (subject === undefined
    ? audit.tally({ ...entry, outcome: 'failure' })
    : audit.record({ ...entry, subject }))
}

/** Only one worker discards a job; it also audits the job, unless an earlier attempt has already done so. */
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
  await Promise.all(unrecorded.map((job) => recordAsk(audit, job)))
}
