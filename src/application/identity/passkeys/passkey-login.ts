import type { JsonObject } from '../../../domain/identity/json-object.js'
import { isProofSecret, type ProofSecret } from '../../../domain/identity/proof.js'
import { flag, optional, text } from '../../fields.js'
import { meterLogin } from '../../metering.js'
import { identityOperation } from '../identity-operation.js'
import type { Issued } from '../issue.js'
import { assertOpen, loginFailed, recordFailure } from '../login.js'
import { formParser } from '../presented.js'
import { passkeyResponse } from './prove-passkey.js'

/** The options for a login with a passkey, and the secret that the browser must present together with the response. */
export type PasskeyLogin = { readonly options: JsonObject; readonly browserSecret: ProofSecret }

/**
 * Resolves with the options that a browser needs to ask its user for a passkey (`PublicKeyCredentialRequestOptionsJSON`), for a login or
 * for the second factor of a login. The options do not reveal which passkeys exist. The challenge is valid for five minutes, and only in
 * this browser; a browser keeps one `browserSecret` for all its challenges. Refuses the call with the first of these codes that applies:
 * - `invalid-token`: the request has an access token that is not authentic or has expired;
 * - `unauthenticated`: anonymous callers lack the permission `auth: login` or `user: find`;
 * - `malformed`: the secret is not a string.
 */
export const beginPasskeyLogin = identityOperation({
  permission: ['auth', 'login'],
  input: formParser({ browserSecret: optional(text) }),
  parts: [
    ...(['passkeys', 'passkeyVerifier', 'passkeyChallenges', 'proofSecrets'] as const),
    ...(['authorize', 'clock'] as const),
  ],
  run:
    (parts, { assertPermitted, read }) =>
    async (input): Promise<PasskeyLogin> => {
      assertOpen(parts, input, assertPermitted)
      const { browserSecret: known } = read(input)
      const browserSecret = isProofSecret(known) ? known : parts.proofSecrets.fresh()
      const challenge = parts.passkeyChallenges.issue({ ceremony: 'login', binding: browserSecret })
      return { options: parts.passkeyVerifier.requestOptions({ challenge }), browserSecret }
    },
})

/**
 * Logs in with a passkey alone. A passkey counts as two factors, because its authenticator has verified the user. If the account has a
 * second factor, the login therefore has this factor too. `remember` has the same effect as in `login`. Always begins a new login. Refuses
 * the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `beginPasskeyLogin`;
 * - `malformed`: a member has the wrong type;
 * - `too-many-attempts`: too many attempts with this passkey or from this network, if attempts are limited;
 * - `login-failed`: the same for each cause, such as an unknown passkey, a disabled account, a challenge that has expired, has been used, or
 *   belongs to another browser, or a wrong signature;
 * - `forbidden`: in stateless mode, the account's roles do not fit into a token.
 *
 * Audits each login, and each failure.
 */
export const loginWithPasskey = identityOperation({
  permission: ['auth', 'login'],
  input: formParser({
    credential: passkeyResponse,
    browserSecret: optional(text),
    remember: optional(flag),
  }),
  parts: ['provePasskey', 'startLogin', 'authorize', 'audit', 'clock', 'metrics'],
  run:
    (parts, { assertPermitted, read }) =>
    async (input): Promise<Issued> => {
      const { presented } = input
      const { client } = presented
      assertOpen(parts, input, assertPermitted)
      const { credential: response, browserSecret: binding = '', remember } = read(input)
      const proof = await parts.provePasskey({ response, scope: { ceremony: 'login', binding }, client })
      const { account } = proof
      if (!account) {
        await recordFailure(parts.audit, proof.accountId, client)
        throw loginFailed('passkey', proof.reason)
      }
      const { secondFactor: factor } = account
      const terms = { factor, passkey: true, ...(remember && { remember }) } as const
      const issued = await parts.startLogin(account, presented, terms)
      await parts.audit.record({ event: 'login', caller: issued.identity, subject: account.id, client })
      return issued
    },
  wrap: (call, { metrics }) => meterLogin(call, metrics),
})
