import { ANONYMOUS } from '../../domain/access/caller.js'
import { shownEmail } from '../../domain/identity/account.js'
import { email as parseEmail, formerEmail, type Email } from '../../domain/identity/email.js'
import type { Password } from '../../domain/identity/password.js'
import type { ProofDigest } from '../../domain/identity/proof.js'
import { accepted } from '../../domain/parsed.js'
import type { PasswordPolicy } from '../accounts/passwords.js'
import type { ClientContext } from '../client-context.js'
import { parseRequired, parseFields } from '../fields.js'
import { identityOperation, type GivenParts } from './identity-operation.js'
import { openRequest, notValid } from './own-account.js'
import { formText, formParser } from './presented.js'
import { withAttemptCounted } from './throttle.js'

/**
 * Queues an email with a link for setting a new password. Does not reveal whether an account has this address: the account is looked up only
 * when the email is created. An address gets at most one email a minute and five an hour; further requests resolve in the same way but send
 * nothing. Refuses the call with the first of these codes that applies:
 * - `invalid-token`: the access token is not authentic or has expired;
 * - `unauthenticated`: anonymous callers lack the permission `auth: reset-password`;
 * - `forbidden`: the request is made during an impersonation;
 * - `malformed`: the email is not a string;
 * - `invalid`: the email is missing or malformed;
 * - `too-many-attempts`: too many requests from this network, if attempts are limited;
 * - `overloaded`: too many emails are queued.
 */
export const requestPasswordReset = identityOperation({
  permission: ['auth', 'reset-password'],
  input: formParser({ email: formText }),
  // Without `proofs`, the email could not be created.
  parts: ['refuseImpersonated', 'queueMail', 'proofs', 'limitMailRequests', 'clock'],
  run:
    (parts, checks) =>
    async (input): Promise<void> => {
      const { email: text = '', client } = await openRequest(parts, input, checks)
      const { email } = parseFields({ email: parseRequired(text, parseEmail) })
      await parts.limitMailRequests({ kind: 'reset', email, client }, () =>
        parts.queueMail('reset-password', formerEmail(text), client),
      )
    },
})

const PARTS = [
  ...(['refuseImpersonated', 'accounts', 'proofs', 'proofSecrets', 'hasher'] as const),
  ...(['passwordPolicy', 'queueMail', 'throttle', 'audit', 'clock', 'log'] as const),
] as const
type Parts = GivenParts<typeof PARTS>

const FORM = formParser({ email: formText, resetToken: formText, password: formText })

/**
 * Sets a new password with the token from a reset email. The token is used up, so only one call with it succeeds. Ends all sessions of the
 * account, begins no new session, and notifies the account. Refuses the call with the first of these codes that applies:
 * - `invalid-token`, `unauthenticated`, `forbidden` or `malformed`: in the same cases as `requestPasswordReset`;
 * - `invalid`: a field is missing, or the password breaks the policy (the token stays valid);
 * - `too-many-attempts`: too many attempts on this account or from this network, counted like logins;
 * - `invalid` with `not-valid`: the token is not valid for this email; every cause gives the same refusal;
 * - `overloaded`: too many passwords are being hashed (the token stays valid).
 */
export const consumeResetToken = identityOperation({
  permission: ['auth', 'reset-password'],
  input: FORM,
  parts: PARTS,
  run:
    (parts: Parts, checks) =>
    async (input): Promise<void> => {
      const { client, ...form } = await openRequest(parts, input, checks)
      const { email, password, resetToken } = await readRedemption(form, parts.passwordPolicy)
      const digest = parts.proofSecrets.digest(resetToken)
      await consume(parts, { email, password, digest }, client)
    },
})

type Redemption = { readonly email: Email; readonly password: Password; readonly digest: ProofDigest }

async function consume(
  parts: Parts,
  { email, password, digest }: Redemption,
  client: ClientContext | undefined,
): Promise<void> {
  const { accounts, proofs, audit } = parts
  const id = await withAttemptCounted(parts.throttle, { email, client }, async () => {
    // This check only avoids an unnecessary hash; `resetPassword` checks the token again.
    const proof = await proofs.find({ digest, at: parts.clock() })
    if (proof?.purpose !== 'reset-password' || proof.email !== email) return undefined
    const hash = await parts.hasher.hash(password)
    const reset = await proofs.resetPassword({ digest, at: parts.clock() }, hash)
    return reset === 'spent' ? undefined : reset
  })
  if (!id) {
    await audit.tally({ event: 'reset.done', caller: ANONYMOUS, outcome: 'failure', client })
    throw notValid('resetToken')
  }
  await audit.record({ event: 'reset.done', caller: ANONYMOUS, subject: id, client })
  try {
    const account = await accounts.find(id)
    if (account) await parts.queueMail('password-changed', shownEmail(account))
  } catch (error) {
    // The password is already set, so the call succeeds even if this step fails.
    parts.log?.error('a password was reset, but some of the follow-up steps failed', { error })
  }
}

/** The refusal names every violated rule. Does not check whether the token is valid. */
async function readRedemption(
  { email, resetToken, password }: ReturnType<typeof FORM.read>,
  passwordPolicy: PasswordPolicy,
) {
  const address = parseRequired(email, parseEmail)
  const context = address.ok ? { email: address.value } : {}
  return parseFields({
    email: address,
    resetToken: parseRequired(resetToken, accepted),
    password: await parseRequired(password, (text) => passwordPolicy(text, context)),
  })
}
