import { shownEmail, type Account } from '../../domain/identity/account.js'
import { mailAddress, canonicalEmail } from '../../domain/identity/email.js'
import type { Password } from '../../domain/identity/password.js'
import {
  isProofPurpose,
  PROOF_LIFETIMES,
  type ProofPurpose,
  type ProofId,
  type PresentedPurpose,
} from '../../domain/identity/proof.js'
import type { Instant, Milliseconds } from '../../domain/instant.js'
import { FACTOR_CHANGES, PASSKEY_CHANGES, type MailJob, type MailKind } from '../../domain/mail.js'
import type { Delivery, Mail, MailTemplates, MailText } from '../../ports/mail.js'
import type { Proofs } from '../../ports/proofs.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { GivenShared } from '../shared-parts.js'
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

export function createMakeMail(given: MakeMailParts): MakeMail {
  const parts = { ...given, templates: guarded(given.templates) }
  const { proofs } = parts
  return async (job) => {
    const { kind } = job
    if (!isProofPurpose(kind))
      return { to: mailAddress(job.email), ...renderNotice(parts.templates, kind, job) }
    if (!proofs) return undefined
    return await (kind === 'reset-password'
      ? makeResetMail(parts, proofs, job)
      : makeProofMail(parts, proofs, { ...job, kind }))
  }
}

/** A custom part threw the `cause` while an email was created or sent; `end` is the outcome of the attempt. */
export class PartFailure extends Error {
  readonly end: Delivery

  constructor(end: Delivery, cause: unknown) {
    super('A custom part for emails threw an error.', { cause })
    this.end = end
  }
}

/** Turns an error of custom templates into a `PartFailure`. */
function guarded(templates: MailTemplates): MailTemplates {
  return {
    render: (kind, values) => {
      try {
        return templates.render(kind, values)
      } catch (cause) {
        throw new PartFailure({ kind: 'deferred', detail: 'The templates threw an error.' }, cause)
      }
    },
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
  const fragment = new URLSearchParams({ email, resetToken: issued.token })
  const values = { email, link: `${parts.resetUrl}#${fragment.toString()}`, minutes }
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

type ProofJob = MailJob & { readonly kind: PresentedPurpose }

type MakeProofMailParts = GivenShared<
  ['accounts', 'proofs', 'proofSecrets', 'hasher', 'clock'],
  ['proofs']
> & {
  templates: MailTemplates
  resetUrl: string
  /** The page on which users confirm a proof. The secrets are in the URL fragment, which browsers never send to a server. */
  confirmUrl: string
}

/** These emails also contain a code, because the requesting browser and the mailbox may be on different devices. */
const WITH_CODE = ['sign-up', 'change-email', 'login'] as const

/** Creates a proof's email for each attempt to send the email; resolves with `undefined` if the proof is no longer needed. */
async function makeProofMail(
  parts: MakeProofMailParts,
  proofs: Proofs,
  job: ProofJob,
): Promise<Mail | undefined> {
  const known = await accountOf(parts, job)
  if (job.kind === 'login' ? known : !known) return await renewedMail(parts, proofs, { job, known })
  await proofs.remove(job.id, parts.clock())
  // If the account is newer than the request, its owner received this email at an earlier attempt and signed up.
  const isOld = known !== undefined && known.createdAt <= job.askedAt
  return job.kind === 'sign-up' && isOld ? existsMail(parts, known) : undefined
}

/**
 * Resolves with the account that has the job's email. For a login, the account must be enabled; for a sign-up or a change of email, any
 * account counts, because its email is taken. Resolves with `undefined` for other kinds of email, which need no account.
 */
async function accountOf({ accounts }: MakeProofMailParts, { kind, email }: MailJob) {
  if (kind === 'login') return await resettableAccount(accounts, email)
  if (kind !== 'sign-up' && kind !== 'change-email') return undefined
  const canonical = canonicalEmail(email)
  return canonical === undefined ? undefined : await accounts.findByEmail(canonical)
}

async function renewedMail(
  parts: MakeProofMailParts,
  proofs: Proofs,
  { job, known }: { readonly job: ProofJob; readonly known: Account | undefined },
): Promise<Mail | undefined> {
  const { kind, id, about = id } = job
  const token = parts.proofSecrets.fresh()
  const code = WITH_CODE.some((one) => one === kind) ? parts.proofSecrets.freshCode() : undefined
  const proof = await proofs.renew({
    id: about as ProofId,
    until: parts.clock() + PROOF_LIFETIMES[kind],
    digest: parts.proofSecrets.digest(token),
    ...(code !== undefined && { codeHash: await parts.hasher.hash(code as Password) }),
    ...(known && { accountId: known.id, epoch: known.epoch }),
  })
  if (!proof) return undefined
  const fragment = new URLSearchParams({ purpose: kind, token, ...(code !== undefined && { code }) })
  const email = shownEmail(known ?? proof)
  const values = {
    email,
    link: `${parts.confirmUrl}#${fragment.toString()}`,
    lifetime: durationOf(kind),
    code: code ?? '',
  }
  return { to: mailAddress(email), ...parts.templates.render(kind, values) }
}

function existsMail({ templates, resetUrl }: MakeProofMailParts, account: Account): Mail {
  const email = shownEmail(account)
  return { to: mailAddress(email), ...templates.render('account-exists', { email, link: resetUrl }) }
}

function durationOf(purpose: PresentedPurpose): string {
  const minutes = PROOF_LIFETIMES[purpose] / 60_000
  const [count, unit] =
    minutes < 60 ? [minutes, 'minute'] : minutes < 96 * 60 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
