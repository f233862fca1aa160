import { ANONYMOUS } from '../../../domain/access/caller.js'
import { email as parseEmail, withEnteredForm, type Email } from '../../../domain/identity/email.js'
import { broken, type Parsed } from '../../../domain/parsed.js'
import { refuse } from '../../../domain/refusal.js'
import { unknownRole } from '../../access/roles.js'
import { emailTaken } from '../../accounts/named-account.js'
import { optional, parseFields, parseRequired, text } from '../../fields.js'
import type { SignUp } from '../../shared-parts.js'
import { identityOperation, type GivenParts } from '../identity-operation.js'
import type { Issued } from '../issue.js'
import { openRequest } from '../own-account.js'
import { formParser, formText } from '../presented.js'
import { PROOF_MEMBERS, type GivenProof } from './present-proof.js'
import type { RequestedProof } from './request-proof.js'

/**
 * Queues an email that lets its recipient create an account. Does not reveal whether an account has this address: the account is looked up
 * only when the email is created, and if there is one, the email says so. See `RequestProof` for the limits. Refuses the call with the first
 * of these codes that applies:
 * - `invalid-token`: the access token is not authentic or has expired;
 * - `unauthenticated`: anonymous callers lack the permission `auth: sign-up`;
 * - `forbidden`: the request is made during an impersonation;
 * - `malformed`: the email, the challenge or the secret of the browser is not a string;
 * - `forbidden`: people can sign up only by invitation;
 * - `invalid`: the email is missing or malformed, or its domain is not among `signUpDomains`;
 * - `forbidden`: the part `admitAccount` refuses the email, or demands a bot challenge (`challenge-required`);
 * - `too-many-attempts` and `overloaded`: see `RequestProof`.
 */
export const requestSignUp = identityOperation({
  permission: ['auth', 'sign-up'],
  input: formParser({ email: formText, challenge: optional(text), browserSecret: optional(text) }),
  parts: ['refuseImpersonated', 'requestProof', 'signUp', 'admitAccount', 'clock'],
  run:
    (parts, checks) =>
    async (input): Promise<RequestedProof> => {
      const { email: entry = '', challenge, ...browser } = await openRequest(parts, input, checks)
      const email = allowedEmail(parts.signUp, entry)
      const verdict = (await parts.admitAccount?.({ email, client: browser.client, challenge })) ?? 'allow'
      if (verdict !== 'allow') throw refuse('forbidden', 'Forbidden', REFUSED[verdict])
      return await parts.requestProof({ purpose: 'sign-up', ...withEnteredForm(email, entry) }, browser)
    },
})

const REFUSED = {
  deny: 'This email cannot be used to sign up.',
  challenge: 'challenge-required',
} as const

/** Returns the canonical email. Refuses an email that may sign up only by invitation. */
function allowedEmail({ mode, domains }: SignUp, text: string): Email {
  if (mode === 'invited') throw refuse('forbidden', 'Forbidden', 'People can sign up only by invitation.')
  return parseFields({ email: parseRequired(text, (one) => ofDomains(one, domains)) }).email
}

function ofDomains(text: string, domains: readonly string[]): Parsed<Email> {
  const parsed = parseEmail(text)
  if (!parsed.ok || domains.length === 0 || domains.includes(parsed.value.split('@')[1] ?? '')) return parsed
  return broken('NotValid', 'must have one of the permitted domains')
}

const CONFIRM_PARTS = [
  ...(['refuseImpersonated', 'presentProof', 'proofs', 'accounts', 'hasher', 'passwordPolicy'] as const),
  ...(['signUp', 'startLogin', 'audit', 'clock'] as const),
] as const
type Parts = GivenParts<typeof CONFIRM_PARTS>

/**
 * Creates the account of a sign-up or an invitation with this password, and logs in. Resolves with `undefined` if the account is disabled
 * until an operator approves it (`signUp` is `approval`). The proof is used up only if the account is created or the email is taken.
 * Refuses the call with the first of these codes that applies:
 * - `invalid-token`, `unauthenticated`, `forbidden` or `malformed`: in the same cases as `requestSignUp`;
 * - `invalid`: the password is missing or breaks the policy, or the proof is refused; see `PresentProof`;
 * - `forbidden` or `invalid`: by now, this email may sign up only by invitation (the proof stays valid);
 * - `overloaded`: too many passwords are being hashed;
 * - `conflict`: an account with this email was created in the meantime;
 * - `not-found`: a role of the invitation was deleted.
 */
export const confirmSignUp = identityOperation({
  permission: ['auth', 'sign-up'],
  input: formParser({ ...PROOF_MEMBERS, password: formText }),
  parts: CONFIRM_PARTS,
  run:
    (parts: Parts, checks) =>
    async (input): Promise<Issued | undefined> => {
      const form = await openRequest(parts, input, checks)
      const { id, waits } = await madeAccount(parts, form)
      const { presented } = input
      await parts.audit.record({ event: 'sign-up', caller: ANONYMOUS, subject: id, client: form.client })
      const account = waits ? undefined : await parts.accounts.find(id)
      return account && (await parts.startLogin(account, presented))
    },
})

type Form = GivenProof & { readonly password?: string | undefined }

async function madeAccount(parts: Parts, { password: entry, ...given }: Form) {
  const judged = async (email?: Email) =>
    parseFields({
      password: await parseRequired(entry, (one) => parts.passwordPolicy(one, email ? { email } : {})),
    }).password
  // Checks the password first, so that a forbidden password does not use up an attempt to enter the code.
  await judged()
  const { proof, use, refusal } = await parts.presentProof(given, 'sign-up', 'invitation')
  const { purpose, email } = proof
  // The settings may have changed since the email was requested.
  if (purpose === 'sign-up') allowedEmail(parts.signUp, email)
  const passwordHash = await parts.hasher.hash(await judged(email))
  const waits = purpose === 'sign-up' && parts.signUp.mode === 'approval'
  const createdAt = parts.clock()
  const account = { passwordHash, createdAt, ...(waits && { disabledAt: createdAt }) }
  const outcome = await parts.proofs.createAccount({ ...use, account })
  if (outcome.kind === 'created') return { id: outcome.id, waits }
  if (outcome.kind === 'unknown-role') throw unknownRole(outcome.role)
  throw outcome.kind === 'email-taken' ? emailTaken() : refusal
}
