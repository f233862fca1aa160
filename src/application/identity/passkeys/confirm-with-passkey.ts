import type { Account } from '../../../domain/identity/account.js'
import type { JsonObject } from '../../../domain/identity/json-object.js'
import { identityOperation } from '../identity-operation.js'
import { assertOwnLogin, notValid, ownAccount, type OwnRequest } from '../own-account.js'
import { presentedInput } from '../presented.js'
import type { ChallengeScope } from './challenges.js'
import { unknownPasskey } from './own-passkeys.js'
import type { GivenParts } from '../part-types.js'

function scopeOf({ sessionId: binding }: { readonly sessionId: string }): ChallengeScope {
  return { ceremony: 'confirmation', binding }
}

/**
 * Resolves with the options that a browser needs to ask for a passkey of the caller's account, for `confirmLogin`. The challenge is valid
 * for five minutes, for this login only. Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or lacks the permission `auth: confirm`;
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
      const challenge = parts.passkeyChallenges.issue(scopeOf(caller))
      return parts.passkeyVerifier.requestOptions({ challenge, allow })
    },
})

/**
 * Resolves with the caller's account if the response comes from a passkey of this account. Otherwise audits a failure and refuses the call
 * with `invalid` (`not-valid`) or, after too many wrong responses, with `too-many-attempts`.
 */
export async function accountByPasskey(
  parts: GivenParts<['accounts', 'audit', 'provePasskey']>,
  { caller, client }: OwnRequest,
  response: JsonObject,
): Promise<Account> {
  const { accountId: id, email } = caller
  const proof = await parts.provePasskey({ response, scope: scopeOf(caller), owner: { id, email }, client })
  if (proof.account) return await ownAccount(parts, caller)
  await parts.audit.record({ event: 'login.confirm', caller, subject: id, outcome: 'failure', client })
  throw notValid('passkey', proof.reason)
}
