import type { Account } from '../../domain/identity/account.js'
import type { JsonObject } from '../../domain/identity/json-object.js'
import { optional, text } from '../fields.js'
import { identityOperation, type GivenParts } from './identity-operation.js'
import type { Issued } from './issue.js'
import {
  OWN_PROOF_PARTS,
  ownLogin,
  provenAccount,
  assertOwnLogin,
  wrongProof,
  ownAccount,
  type OwnRequest,
} from './own-account.js'
import { unknownPasskey } from './passkeys/own-passkeys.js'
import type { ChallengeScope } from './passkeys/challenges.js'
import { passkeyResponse } from './passkeys/prove-passkey.js'
import { formParser, presentedInput } from './presented.js'

/**
 * Confirms that the owner of the login is present, so that the login meets the conditions of the permissions (`fresh`, `factor`) again.
 * Requires the password, and a code if a second factor is active; or `passkey`, the response to the options of `beginPasskeyConfirmation`,
 * which proves both (ignored if passkeys are off). The login gets new credentials, ends at the same time as before, and keeps its ID
 * (except in stateless mode). Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or lacks the permission `auth: confirm`;
 * - `malformed`: the password or the code is not a string, or the passkey has the wrong form;
 * - the codes of `provenAccount` or, with a passkey, of `accountByPasskey`;
 * - `invalid-token`: the login has ended in the meantime.
 *
 * Audits each confirmation, and each failure caused by the password, the code or the passkey.
 */
export const confirmLogin = identityOperation({
  permission: ['auth', 'confirm'],
  input: formParser({ password: optional(text), code: optional(text), passkey: optional(passkeyResponse) }),
  parts: [...OWN_PROOF_PARTS, 'provePasskey', 'renewLogin', 'clock'],
  optional: ['proveFactor', 'provePasskey'],
  run:
    (parts, checks) =>
    async (input): Promise<Issued> => {
      const own = await ownLogin(parts, input, checks)
      const { caller, client } = own
      const { provePasskey } = parts
      const passkey = provePasskey && own.passkey
      const account =
        provePasskey && passkey
          ? await accountByPasskey({ ...parts, provePasskey }, own, passkey)
          : await provenAccount(parts, own, 'login.confirm')
      const issued = await parts.renewLogin(caller, {
        account,
        presented: input.presented,
        at: parts.clock(),
        ...(passkey && { passkey: true }),
      })
      await parts.audit.record({ event: 'login.confirm', caller, subject: caller.accountId, client })
      return issued
    },
})

function confirmationScope({ sessionId: binding }: { readonly sessionId: string }): ChallengeScope {
  return { ceremony: 'confirmation', binding }
}

/**
 * Resolves with the options that a browser needs to ask for a passkey of the caller's account, for `confirmLogin`. The challenge is valid
 * for five minutes, for this login only. Refuses the call with the first of these codes that applies:
 * - `invalid-token`, `unauthenticated` or `forbidden`: in the same cases as `confirmLogin`;
 * - `not-found`: the account has no passkey.
 */
export const beginPasskeyConfirmation = identityOperation({
  permission: ['auth', 'confirm'],
  input: presentedInput,
  parts: ['authenticate', 'passkeys', 'passkeyVerifier', 'passkeyChallenges'],
  run:
    (parts, { assertPermitted }) =>
    async (presented): Promise<JsonObject> => {
      const caller = assertOwnLogin(await parts.authenticate(presented))
      assertPermitted(caller)
      const allow = await parts.passkeys.listOf(caller.accountId)
      if (allow.length === 0) throw unknownPasskey()
      const challenge = parts.passkeyChallenges.issue(confirmationScope(caller))
      return parts.passkeyVerifier.requestOptions({ challenge, allow })
    },
})

/**
 * Resolves with the caller's account if the response comes from a passkey of this account. Otherwise audits a failure and refuses the call
 * with `invalid` (`not-valid`) or, after too many wrong responses, with `too-many-attempts`.
 */
async function accountByPasskey(
  parts: GivenParts<['accounts', 'audit', 'provePasskey']>,
  { caller, client }: OwnRequest,
  response: JsonObject,
): Promise<Account> {
  const { accountId: id, email } = caller
  const proof = await parts.provePasskey({
    response,
    scope: confirmationScope(caller),
    owner: { id, email },
    client,
  })
  if (proof.account) return await ownAccount(parts, caller)
  const entry = { event: 'login.confirm', caller, subject: id, client } as const
  throw await wrongProof(parts, entry, 'passkey', proof.reason)
}
