import { shownEmail, type Account } from '../../domain/identity/account.js'
import { mailAddress } from '../../domain/identity/email.js'
import { isProofPurpose, type ProofPurpose } from '../../domain/identity/proof.js'
import type { Instant, Milliseconds } from '../../domain/instant.js'
import { FACTOR_CHANGES, PASSKEY_CHANGES, type MailJob, type MailKind } from '../../domain/mail.js'
import type { Mail, MailTemplates, MailText } from '../../ports/mail.js'
import type { Proofs } from '../../ports/proofs.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { createMakeProofMail, type MakeProofMailParts } from './make-proof-mail.js'
import { recordAsk, resettableAccount } from './sift-mails.js'

/**
 * Creates the email for a job, separately for each attempt to send it; resolves with `undefined` if there is no recipient. At each attempt,
 * a reset email gets a new token, which replaces the token of the previous attempt. Thus no two emails contain the same token, and the
 * queue contains no token.
 */
export type MakeMail = (job: MailJob) => Promise<Mail | undefined>

export type MakeMailParts = MakeProofMailParts & {
  resetTokenTtl: Milliseconds
  /**
   * The application's page for setting a new password. The email and the token are in the URL fragment, which browsers never send to a
   * server.
   */
  resetUrl: string
  audit: AuditTrail
}

export function createMakeMail(parts: MakeMailParts): MakeMail {
  const makeProofMail = createMakeProofMail(parts)
  return async (job) => {
    const { kind } = job
    if (kind === 'reset-password') return parts.proofs && (await makeResetMail(parts, parts.proofs, job))
    if (isProofPurpose(kind)) return await makeProofMail({ ...job, kind })
    return { to: mailAddress(job.email), ...renderNotice(parts.templates, kind, job) }
  }
}

function renderNotice(
  templates: MailTemplates,
  kind: Exclude<MailKind, ProofPurpose>,
  { email, askedAt, address = '', about = '' }: MailJob,
): MailText {
  const where = { email, address, time: utcOf(askedAt) }
  switch (kind) {
    case 'password-changed':
    case 'approved':
      return templates.render(kind, { email })
    case 'account-exists':
      return templates.render(kind, { email, link: '' })
    case 'new-client':
    case 'refresh-reused':
      return templates.render(kind, { ...where, client: about })
    case 'factor-changed':
      return templates.render(kind, { ...where, ...sectionsOf(FACTOR_CHANGES, about) })
    case 'passkey-changed':
      return templates.render(kind, { ...where, ...sectionsOf(PASSKEY_CHANGES, about) })
  }
}

/** A template has one section for each possible change. Only the section for the actual change gets text. */
function sectionsOf<Change extends string>(
  changes: readonly Change[],
  about: string,
): Readonly<Record<Change, string>> {
  const entries = changes.map((change) => [change, about === change ? change : ''])
  return Object.fromEntries(entries) as Record<Change, string>
}

/** Formats a time, for example as `2026-01-02 03:04 UTC`. */
function utcOf(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

async function makeResetMail(parts: MakeMailParts, proofs: Proofs, job: MailJob): Promise<Mail | undefined> {
  const { attempts } = job
  const issued = await issueProof(parts, proofs, job)
  // Audits each request only on the first attempt to send. If a process dies during this attempt, the request may be audited twice.
  if (attempts === 0) await recordAsk(parts.audit, job, issued?.account.id)
  if (!issued) return undefined
  const minutes = String(Math.floor(parts.resetTokenTtl / 60_000))
  // The entered email may belong to another mailbox, so the message goes to the account's email.
  const email = shownEmail(issued.account)
  const values = { email, link: linkOf(parts.resetUrl, email, issued.token), minutes }
  return { to: mailAddress(email), ...parts.templates.render('reset-password', values) }
}

type AccountToken = { readonly account: Account; readonly token: string }

async function issueProof(
  { accounts, proofSecrets, clock, resetTokenTtl }: MakeMailParts,
  proofs: Proofs,
  { id, email, askedAt: createdAt }: MailJob,
): Promise<AccountToken | undefined> {
  let issued: AccountToken | undefined
  for (;;) {
    const account = await resettableAccount(accounts, email)
    if (!account) return undefined
    const { id: accountId, epoch, sharedEmail = account.email } = account
    if (issued?.account.id === accountId && issued.account.epoch === epoch) return issued
    const token = proofSecrets.fresh()
    const secret = { until: clock() + resetTokenTtl, digest: proofSecrets.digest(token), attempts: 0 }
    const owner = { accountId, epoch, email: sharedEmail }
    await proofs.issue({ id, purpose: 'reset-password', createdAt, ...owner, ...secret })
    issued = { account, token }
  }
}

function linkOf(resetUrl: string, email: string, resetToken: string): string {
  return `${resetUrl}#${new URLSearchParams({ email, resetToken }).toString()}`
}
