import { ANONYMOUS } from '../../domain/access/caller.js'
import { shownEmail, type Account } from '../../domain/identity/account.js'
import { mailAddress } from '../../domain/identity/email.js'
import type { Instant, Milliseconds } from '../../domain/instant.js'
import { FACTOR_CHANGES, type FactorChange, type MailJob, type MailKind } from '../../domain/mail.js'
import type { Accounts } from '../../ports/accounts.js'
import type { Clock } from '../../ports/clock.js'
import type { Mail, MailTemplates, MailText } from '../../ports/mailer.js'
import type { ResetTokens } from '../../ports/session-keys.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { recordAskInVain, resettableAccount } from './sift-mails.js'

/**
 * The mail of a job, made anew each time; none where there is no recipient. A notice tells what its job holds. A reset gets a new
 * token, in the place of that of a try before: so no token is in two mails and none is in the queue.
 */
export type MakeMail = (job: MailJob) => Promise<Mail | undefined>

/** What the making of a mail is made of. */
export type MakeMailParts = {
  accounts: Accounts
  templates: MailTemplates
  resetTokens: ResetTokens
  /** How long a reset token is good. */
  resetTokenTtl: Milliseconds
  /** The application's page for new passwords. Email and token come in its fragment, which no server sees. */
  resetUrl: string
  audit: AuditTrail
  clock: Clock
}

/** The token of a reset is made here, with the mail: the queue holds none. */
export function createMakeMail(parts: MakeMailParts): MakeMail {
  return async (job) => {
    if (job.kind === 'reset-password') return await makeResetMail(parts, job)
    return { to: mailAddress(job.email), ...renderNotice(parts.templates, job.kind, job) }
  }
}

function renderNotice(
  templates: MailTemplates,
  kind: Exclude<MailKind, 'reset-password'>,
  { email, askedAt, address = '', about = '' }: MailJob,
): MailText {
  const where = { email, address, time: utcOf(askedAt) }
  switch (kind) {
    case 'password-changed':
      return templates.render(kind, { email })
    case 'new-client':
    case 'refresh-reused':
      return templates.render(kind, { ...where, client: about })
    case 'factor-changed':
      return templates.render(kind, { ...where, ...changeIn(about) })
  }
}

/** The one that it is has its word, the others are empty: a template has a section for each. */
function changeIn(about: string): Readonly<Record<FactorChange, string>> {
  const entries = FACTOR_CHANGES.map((change) => [change, about === change ? change : ''])
  return Object.fromEntries(entries) as Record<FactorChange, string>
}

/** Such as `2026-01-02 03:04 UTC`. */
function utcOf(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

async function makeResetMail(parts: MakeMailParts, job: MailJob): Promise<Mail | undefined> {
  const { attempts } = job
  const issued = await issueResetToken(parts, job)
  // Once for each asking, however often the mail is tried; twice where a process died on the first try.
  if (attempts === 0)
    await (issued ? recordAsking(parts, job, issued.account) : recordAskInVain(parts.audit, job))
  if (!issued) return undefined
  const minutes = String(Math.floor(parts.resetTokenTtl / 60_000))
  // The typed email may name another mailbox: the mail goes to the email of the account.
  const email = shownEmail(issued.account)
  const values = { email, link: linkOf(parts.resetUrl, email, issued.token), minutes }
  return { to: mailAddress(email), ...parts.templates.render('reset-password', values) }
}

async function recordAsking(
  { audit }: MakeMailParts,
  { address, requestId }: MailJob,
  { id: subject }: Account,
): Promise<void> {
  const client = { address, requestId }
  await audit.record({ event: 'reset.ask', caller: ANONYMOUS, subject, client })
}

type Issued = { readonly account: Account; readonly token: string }

/** Where the account changes between the look and the token, it is looked at again. */
async function issueResetToken(
  parts: MakeMailParts,
  { id: mailJobId, email }: MailJob,
): Promise<Issued | undefined> {
  for (;;) {
    const account = await resettableAccount(parts.accounts, email)
    if (!account) return undefined
    const token = parts.resetTokens.fresh()
    const until = parts.clock() + parts.resetTokenTtl
    const reset = { digest: parts.resetTokens.digest(token), until, mailJobId }
    const outcome = await parts.accounts.issueResetToken(account.id, account.epoch, reset)
    if (outcome === 'issued') return { account, token }
  }
}

function linkOf(resetUrl: string, email: string, resetToken: string): string {
  return `${resetUrl}#${new URLSearchParams({ email, resetToken }).toString()}`
}
