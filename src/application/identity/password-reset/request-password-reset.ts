import { ANONYMOUS } from '../../../domain/access/caller.js'
import { email as parseEmail, formerEmail } from '../../../domain/identity/email.js'
import type { Clock } from '../../../ports/clock.js'
import type { QueueMail } from '../../mail/queue-mail.js'
import { given, parseFields, textField } from '../../fields.js'
import type { Authorize } from '../../access/authorize.js'
import { unexpiredClaims } from '../check-access-token.js'
import type { CheckedCredentials } from '../presented.js'
import type { LimitResetRequests } from './limit-reset-requests.js'
import type { RefuseImpersonated } from './refuse-impersonated.js'

/**
 * Asks for a mail with a link that lets the password be reset. Does the same whatever the email is:
 * whether there is such an account is found out when the mail is made. One mail a minute and five an
 * hour go to an email; a further ask resolves like the others, sends nothing and disturbs nothing. In
 * this order it refuses with
 * - `invalid-token`: an access token was presented that is not authentic or has expired;
 * - `malformed`: the email is not text;
 * - `unauthenticated`: `auth: reset-password` is not permitted to everyone;
 * - `forbidden`: during an impersonation;
 * - `invalid`: no email, or none that could be one;
 * - `too-many-attempts`: from this network, where attempts are limited;
 * - `overloaded`: too many mails are waiting.
 */
export type RequestPasswordReset = (input: { email: unknown; presented: CheckedCredentials }) => Promise<void>

/** What asking for a reset is made of. */
export type RequestPasswordResetParts = {
  authorize: Authorize
  refuseImpersonated: RefuseImpersonated
  queueMail: QueueMail
  limitResetRequests: LimitResetRequests
  clock: Clock
}

/** Needs the permission `auth: reset-password` of everyone. */
export function createRequestPasswordReset(parts: RequestPasswordResetParts): RequestPasswordReset {
  return async ({ email, presented }) => {
    const claims = unexpiredClaims(presented.accessToken, parts.clock())
    const text = textField('email', email)
    parts.authorize(ANONYMOUS, 'auth', 'reset-password')
    await parts.refuseImpersonated(claims, presented)
    const { email: address } = parseFields({ email: given(text, parseEmail) })
    const refund = await parts.limitResetRequests(address, presented.client)
    if (!refund) return
    try {
      await parts.queueMail('reset-password', formerEmail(text ?? ''), presented.client)
    } catch (error) {
      await refund()
      throw error
    }
  }
}
