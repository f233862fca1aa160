import { ANONYMOUS } from '../../../domain/access/caller.js'
import { email as parseEmail, withEnteredForm } from '../../../domain/identity/email.js'
import { optional, parseFields, parseRequired, text } from '../../fields.js'
import { meterLogin } from '../../metering.js'
import { isActive } from '../identity-of.js'
import { identityOperation } from '../identity-operation.js'
import type { Issued } from '../issue.js'
import { checkedFactor } from '../login.js'
import { openRequest } from '../own-account.js'
import { unexpiredClaims, formParser, formText } from '../presented.js'
import { PROOF_MEMBERS } from './present-proof.js'
import type { RequestedProof } from './request-proof.js'

/**
 * Queues an email with a code and a link that let the owner of the address log in from this browser. Does not reveal whether an account has
 * this address: the account is looked up only when the email is created. See `RequestProof` for the limits. Refuses the call with the first
 * of these codes that applies:
 * - `invalid-token`: the access token is not authentic or has expired;
 * - `unauthenticated`: anonymous callers lack the permission `auth: login-by-mail`;
 * - `forbidden`: the request is made during an impersonation;
 * - `malformed`: the email or the secret of the browser is not a string;
 * - `invalid`: the email is missing or malformed;
 * - `too-many-attempts` and `overloaded`: see `RequestProof`.
 */
export const requestLoginMail = identityOperation({
  permission: ['auth', 'login-by-mail'],
  input: formParser({ email: formText, browserSecret: optional(text) }),
  parts: ['refuseImpersonated', 'requestProof', 'clock'],
  run:
    (parts, checks) =>
    async (input): Promise<RequestedProof> => {
      const { email: entry = '', ...browser } = await openRequest(parts, input, checks)
      const { email } = parseFields({ email: parseRequired(entry, parseEmail) })
      return await parts.requestProof({ purpose: 'login', ...withEnteredForm(email, entry) }, browser)
    },
})

/**
 * Logs in with the code or the token of a login email, in the requesting browser, and with `secondFactor` (a one-time code or a recovery
 * code) if the account has a second factor. The proof is used up only if the login begins. Refuses the call with the first of these codes
 * that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `requestLoginMail`;
 * - `malformed`: a member is not a string;
 * - `invalid`: the proof is refused; see `PresentProof`. A proof becomes invalid if the account is disabled or its password changes;
 * - `second-factor-required`, `too-many-attempts`, `login-failed` (about the second factor) or `forbidden`: in the same cases as `login`.
 */
export const confirmLoginMail = identityOperation({
  permission: ['auth', 'login-by-mail'],
  input: formParser({ ...PROOF_MEMBERS, secondFactor: optional(text) }),
  parts: ['presentProof', 'proofs', 'accounts', 'startLogin', 'proveFactor', 'audit', 'clock', 'metrics'],
  optional: ['proveFactor'],
  run:
    (parts, { assertPermitted, read }) =>
    async (input): Promise<Issued> => {
      const { presented } = input
      const { client } = presented
      unexpiredClaims(presented.accessToken, parts.clock())
      assertPermitted(ANONYMOUS)
      const { secondFactor, ...given } = read(input)
      const { proof, use, refusal } = await parts.presentProof({ ...given, client }, 'login')
      const { accountId, epoch } = proof
      const account = accountId === undefined ? undefined : await parts.accounts.find(accountId)
      if (epoch === undefined || !isActive(account, epoch)) throw refusal
      const presentedFactor = { code: secondFactor, client, field: 'secondFactor' } as const
      const factor = await checkedFactor(parts, account, presentedFactor)
      if ((await parts.proofs.consume(use)) === 'spent') throw refusal
      const issued = await parts.startLogin(account, presented, factor)
      await parts.audit.record({ event: 'login', caller: issued.identity, subject: account.id, client })
      return issued
    },
  wrap: (call, { metrics }) => meterLogin(call, metrics),
})
