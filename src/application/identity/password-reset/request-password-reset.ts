import { email as parseEmail, formerEmail } from '../../../domain/identity/email.js'
import { parseRequired, parseFields } from '../../fields.js'
import { identityOperation } from '../identity-operation.js'
import { formText, formParser } from '../presented.js'
import { openRequest } from './refuse-impersonated.js'

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
