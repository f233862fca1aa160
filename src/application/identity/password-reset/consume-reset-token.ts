import { ANONYMOUS } from '../../../domain/access/caller.js'
import { shownEmail } from '../../../domain/identity/account.js'
import { email as parseEmail, type Email } from '../../../domain/identity/email.js'
import type { Password } from '../../../domain/identity/password.js'
import type { ResetDigest } from '../../../domain/identity/reset-token.js'
import { accepted } from '../../../domain/parsed.js'
import type { PasswordPolicy } from '../../accounts/hash-new-password.js'
import type { ClientContext } from '../../client-context.js'
import { given, parseFields } from '../../fields.js'
import { unexpiredClaims } from '../check-access-token.js'
import { identityOperation } from '../identity-operation.js'
import { notValid } from '../own-account.js'
import type { GivenParts } from '../part-types.js'
import { entered, form } from '../presented.js'
import { attempted } from '../throttle.js'

const PARTS = [
  'refuseImpersonated',
  'accounts',
  'hasher',
  'passwordPolicy',
  'resetTokens',
  'queueMail',
  'throttle',
  'audit',
  'clock',
  'log',
] as const
type Parts = GivenParts<typeof PARTS>

const FORM = form({ email: entered, resetToken: entered, password: entered })

/**
 * Sets a new password with the token of a reset mail. The token is used up: only one call with it succeeds. All sessions of the
 * account end, no session begins, and the account gets a notice. In this order it refuses with
 * - `invalid-token`, `unauthenticated`, `forbidden`, `malformed`: as `requestPasswordReset`;
 * - `invalid`: a field is missing, or the password breaks the policy (the token stays valid);
 * - `too-many-attempts`: of this account or from this network, which are counted like logins;
 * - `invalid` with `not-valid`: the token is not valid for this email, for every cause;
 * - `overloaded`: too many passwords are being hashed (the token stays valid).
 */
export const consumeResetToken = identityOperation({
  permission: ['auth', 'reset-password'],
  input: FORM,
  parts: PARTS,
  run:
    (parts: Parts, { permit, read }) =>
    async (input): Promise<void> => {
      const { presented } = input
      const claims = unexpiredClaims(presented.accessToken, parts.clock())
      permit(ANONYMOUS)
      await parts.refuseImpersonated(claims, presented)
      const { email, password, resetToken } = await readRedemption(read(input), parts.passwordPolicy)
      const digest = parts.resetTokens.digest(resetToken)
      await consume(parts, { email, password, digest }, presented.client)
    },
})

type Redemption = { readonly email: Email; readonly password: Password; readonly digest: ResetDigest }

async function consume(
  parts: Parts,
  { email, password, digest }: Redemption,
  client: ClientContext | undefined,
): Promise<void> {
  const { accounts, audit } = parts
  const id = await attempted(parts.throttle, { email, client }, async () => {
    // Saves the cost of a hash; the write of the store decides in the end.
    if (!(await accounts.holdsResetToken(email, digest, parts.clock()))) return undefined
    const hash = await parts.hasher.hash(password)
    return await accounts.consumeResetToken({ email, digest, at: parts.clock(), hash })
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
    // The password is set, so the call succeeds.
    parts.log?.error('a password was reset, but not all that follows was done', { error })
  }
}

/** Names every broken rule. Whether the token is valid is judged later. */
async function readRedemption(
  { email, resetToken, password }: ReturnType<typeof FORM.read>,
  passwordPolicy: PasswordPolicy,
) {
  const address = given(email, parseEmail)
  const context = address.ok ? { email: address.value } : {}
  return parseFields({
    email: address,
    resetToken: given(resetToken, accepted),
    password: await given(password, (text) => passwordPolicy(text, context)),
  })
}
