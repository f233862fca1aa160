import { ANONYMOUS } from '../../../domain/access/caller.js'
import { email as parseEmail, enteredEmail, type Email } from '../../../domain/identity/email.js'
import type { Instant } from '../../../domain/instant.js'
import { broken, type Parsed } from '../../../domain/parsed.js'
import { refuse, refuseField } from '../../../domain/refusal.js'
import { unknownRole } from '../../access/roles.js'
import { optional, parseFields, parseRequired, text } from '../../fields.js'
import { unexpiredClaims } from '../check-access-token.js'
import { identityOperation } from '../identity-operation.js'
import type { Issued } from '../issue.js'
import type { GivenParts } from '../part-types.js'
import { formParser, formText } from '../presented.js'
import { PROOF_MEMBERS, type GivenProof, type PresentedProof } from './present-proof.js'
import type { RequestedProof } from './request-proof.js'

const REQUEST_PARTS = ['refuseImpersonated', 'requestProof', 'signUp', 'admitAccount', 'clock'] as const

/**
 * Queues an email that lets its recipient create an account. Does the same for every address: whether an account has this address is
 * determined only when the email is created; then the email says that the account exists. See `RequestProof` for the limits. Refuses the
 * call with the first of these codes that applies:
 * - `invalid-token`: the access token is not authentic or has expired;
 * - `unauthenticated`: anonymous callers lack the permission `auth: sign-up`;
 * - `forbidden`: the request is made during an impersonation, or people can sign up only by invitation;
 * - `malformed`: the email or the challenge is not a string;
 * - `invalid`: the email is missing, the text cannot be an email address, or its domain is not among `signUpDomains`;
 * - `forbidden`: the part `admitAccount` refuses the email, or demands a bot challenge (`challenge-required`);
 * - `too-many-attempts` and `overloaded`: see `RequestProof`.
 */
export const requestSignUp = identityOperation({
  permission: ['auth', 'sign-up'],
  input: formParser({ email: formText, challenge: optional(text) }),
  parts: REQUEST_PARTS,
  run:
    (parts: GivenParts<typeof REQUEST_PARTS>, { assertPermitted, read }) =>
    async (input): Promise<RequestedProof> => {
      const { presented } = input
      const { client } = presented
      const claims = unexpiredClaims(presented.accessToken, parts.clock())
      assertPermitted(ANONYMOUS)
      await parts.refuseImpersonated(claims, presented)
      if (parts.signUp.mode === 'invited')
        throw refuse('forbidden', 'Forbidden', 'People can sign up only by invitation.')
      const { email: entry, challenge } = read(input)
      const { email } = parseFields({
        email: parseRequired(entry, (one) => allowedEmail(one, parts.signUp.domains)),
      })
      const verdict = (await parts.admitAccount?.({ email, client, challenge })) ?? 'allow'
      if (verdict !== 'allow') throw refuse('forbidden', 'Forbidden', REFUSED[verdict])
      const entered = enteredEmail(entry ?? '')
      const wanted = {
        purpose: 'sign-up',
        email,
        ...(entered !== email && { enteredEmail: entered }),
      } as const
      return await parts.requestProof(wanted, client)
    },
})

const REFUSED = {
  deny: 'This email cannot be used to sign up.',
  challenge: 'challenge-required',
} as const

function allowedEmail(text: string, domains: readonly string[]): Parsed<Email> {
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
 * - `overloaded`: too many passwords are being hashed;
 * - `conflict`: an account with this email was created in the meantime;
 * - `not-found`: a role of the invitation was deleted.
 */
export const confirmSignUp = identityOperation({
  permission: ['auth', 'sign-up'],
  input: formParser({ ...PROOF_MEMBERS, password: formText }),
  parts: CONFIRM_PARTS,
  run:
    (parts: Parts, { assertPermitted, read }) =>
    async (input): Promise<Issued | undefined> => {
      const { presented } = input
      const { client } = presented
      const claims = unexpiredClaims(presented.accessToken, parts.clock())
      assertPermitted(ANONYMOUS)
      await parts.refuseImpersonated(claims, presented)
      const { id, waits } = await madeAccount(parts, { ...read(input), client })
      await parts.audit.record({ event: 'sign-up', caller: ANONYMOUS, subject: id, client })
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
  // A password that would be refused for every email does not count as an attempt to guess the code.
  await judged()
  const presented = await parts.presentProof(given, 'sign-up', 'invitation')
  const { purpose, email } = presented.proof
  const passwordHash = await parts.hasher.hash(await judged(email))
  const waits = purpose === 'sign-up' && parts.signUp.mode === 'approval'
  const id = await createdAccount(parts, presented, { passwordHash, createdAt: parts.clock(), waits })
  return { id, waits }
}

type Making = {
  readonly passwordHash: Awaited<ReturnType<Parts['hasher']['hash']>>
  readonly createdAt: Instant
  readonly waits: boolean
}

async function createdAccount(
  { proofs }: Parts,
  { use, refusal }: PresentedProof,
  { passwordHash, createdAt, waits }: Making,
) {
  const account = { passwordHash, createdAt, ...(waits && { disabledAt: createdAt }) }
  const outcome = await proofs.createAccount({ ...use, account })
  switch (outcome.kind) {
    case 'created':
      return outcome.id
    case 'email-taken':
      throw refuseField('conflict', 'email', 'Duplicate', 'An account with this email exists already.')
    case 'unknown-role':
      throw unknownRole(outcome.role)
    case 'spent':
      throw refusal
  }
}
