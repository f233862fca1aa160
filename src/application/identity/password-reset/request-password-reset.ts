import { ANONYMOUS } from '../../../domain/access/caller.js'
import { email as parseEmail, formerEmail } from '../../../domain/identity/email.js'
import { given, parseFields } from '../../fields.js'
import { unexpiredClaims } from '../check-access-token.js'
import { identityOperation } from '../identity-operation.js'
import { entered, form } from '../presented.js'

/**
 * Queues a mail with a link for a new password. It does the same for every email: whether an account has it is found out when the
 * mail is made. An email gets one mail a minute and five an hour; further requests resolve like the others and send nothing. In
 * this order it refuses with
 * - `invalid-token`: the access token is not authentic or has expired;
 * - `unauthenticated`: `auth: reset-password` is not permitted to everyone;
 * - `forbidden`: during an impersonation;
 * - `malformed`: the email is not a string;
 * - `invalid`: no email, or a text that cannot be an email;
 * - `too-many-attempts`: from this network, if attempts are limited;
 * - `overloaded`: too many mails are waiting.
 */
export const requestPasswordReset = identityOperation({
  permission: ['auth', 'reset-password'],
  input: form({ email: entered }),
  parts: ['refuseImpersonated', 'queueMail', 'limitResetRequests', 'clock'],
  run:
    (parts, { permit, read }) =>
    async (input): Promise<void> => {
      const { presented } = input
      const claims = unexpiredClaims(presented.accessToken, parts.clock())
      permit(ANONYMOUS)
      await parts.refuseImpersonated(claims, presented)
      const { email: text } = read(input)
      const { email } = parseFields({ email: given(text, parseEmail) })
      const refund = await parts.limitResetRequests(email, presented.client)
      if (!refund) return
      try {
        await parts.queueMail('reset-password', formerEmail(text ?? ''), presented.client)
      } catch (error) {
        await refund()
        throw error
      }
    },
})
