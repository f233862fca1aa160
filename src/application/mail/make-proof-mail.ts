import { shownEmail, type Account } from '../../domain/identity/account.js'
import { canonicalEmail, mailAddress } from '../../domain/identity/email.js'
import type { Password } from '../../domain/identity/password.js'
import { PROOF_LIFETIMES, type ProofId, type PresentedPurpose } from '../../domain/identity/proof.js'
import type { MailJob } from '../../domain/mail.js'
import type { Mail, MailTemplates } from '../../ports/mail.js'
import type { Proofs } from '../../ports/proofs.js'
import { resettableAccount } from './sift-mails.js'
import type { GivenShared } from '../shared-parts.js'

/** Creates a proof's email for each attempt to send the email; resolves with `undefined` if the proof is no longer needed. */
export type MakeProofMail = (job: MailJob & { readonly kind: PresentedPurpose }) => Promise<Mail | undefined>

export type MakeProofMailParts = GivenShared<
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

export function createMakeProofMail(parts: MakeProofMailParts): MakeProofMail {
  return async (job) => {
    const { proofs } = parts
    if (!proofs) return undefined
    const known = await accountOf(parts, job)
    if (job.kind === 'login' ? known : !known) return await renewedMail(parts, proofs, { job, known })
    await proofs.remove(job.id, parts.clock())
    // If the account is newer than the request, its owner received this email at an earlier attempt and signed up.
    const isOld = known !== undefined && known.createdAt <= job.askedAt
    return job.kind === 'sign-up' && isOld ? existsMail(parts, known) : undefined
  }
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

type Known = {
  readonly job: MailJob & { readonly kind: PresentedPurpose }
  readonly known: Account | undefined
}

async function renewedMail(
  parts: MakeProofMailParts,
  proofs: Proofs,
  { job, known }: Known,
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
