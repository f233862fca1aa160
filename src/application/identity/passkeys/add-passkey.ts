import { clientName } from '../../../domain/identity/session.js'
import { shownEmail } from '../../../domain/identity/account.js'
import type { JsonObject } from '../../../domain/identity/json-object.js'
import { passkeyName, type Passkey } from '../../../domain/identity/passkey.js'
import { invalidToken, refuse, type Refusal } from '../../../domain/refusal.js'
import type { NameClient } from '../../../ports/callbacks.js'
import type { VerifiedRegistration } from '../../../ports/passkeys.js'
import type { ClientContext } from '../../client-context.js'
import { optional, parseFields, text } from '../../fields.js'
import { identityOperation } from '../identity-operation.js'
import { assertOwnLogin, notValid, ownAccount, ownLogin } from '../own-account.js'
import type { GivenParts } from '../part-types.js'
import { formParser, presentedInput } from '../presented.js'
import type { ChallengeScope } from './challenges.js'
import { viewOf, type PasskeyView } from './own-passkeys.js'
import { handleOf } from './prove-passkey.js'
import { passkeyResponse } from './response.js'

function scopeOf({ sessionId: binding }: { readonly sessionId: string }): ChallengeScope {
  return { ceremony: 'registration', binding }
}

/**
 * Resolves with the options that a browser needs to create a passkey (`PublicKeyCredentialCreationOptionsJSON`). The challenge is valid for
 * five minutes, for this login only. Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or lacks the permission `auth: passkey`;
 * - `invalid-token`: the account is deleted or disabled, or its epoch has changed;
 * - `fresh-login-required`: the last proof of identity is older than ten minutes; see `confirmLogin`.
 */
export const beginPasskey = identityOperation({
  permission: ['auth', 'passkey'],
  input: presentedInput,
  parts: ['authenticate', 'accounts', 'assertFresh', 'passkeys', 'passkeyVerifier', 'passkeyChallenges'],
  run:
    (parts, { assertPermitted }) =>
    async (presented): Promise<JsonObject> => {
      const caller = assertOwnLogin(await parts.authenticate(presented))
      assertPermitted(caller)
      const account = await ownAccount(parts, caller)
      parts.assertFresh(caller, account)
      const exclude = await parts.passkeys.listOf(account.id)
      const challenge = parts.passkeyChallenges.issue(scopeOf(caller))
      const owner = { handle: handleOf(account), name: shownEmail(account) }
      return parts.passkeyVerifier.creationOptions({ challenge, owner, exclude })
    },
})

/**
 * Adds the passkey that a browser created with the options of `beginPasskey`. Without a name, the passkey is named after the client.
 * Notifies the account. Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or lacks the permission `auth: passkey`;
 * - `malformed`: the response or the name has the wrong type;
 * - `invalid`: the name has more than 64 characters or contains control characters;
 * - `invalid` with `not-valid`: verification failed, or the challenge is expired, was used, or belongs to another login (this is
 *   audited);
 * - `conflict`: an account already has this passkey, or the account has the maximum number of passkeys;
 * - `invalid-token`: the account was deleted or disabled, or its epoch has changed.
 */
export const addPasskey = identityOperation({
  permission: ['auth', 'passkey'],
  input: formParser({ credential: passkeyResponse, name: optional(text) }),
  parts: [
    ...(['authenticate', 'passkeys', 'passkeyVerifier', 'passkeyChallenges'] as const),
    ...(['nameClient', 'notices', 'audit', 'clock'] as const),
  ],
  run:
    (parts, checks) =>
    async (input): Promise<PasskeyView> => {
      const { caller, client, credential, name: given } = await ownLogin(parts, input, checks)
      const { accountId, epoch, email } = caller
      const { name } = parseFields({ name: passkeyName(given ?? (await defaultName(parts, client))) })
      const entry = { event: 'passkey.add', caller, subject: accountId, client } as const
      const created = await verified(parts, scopeOf(caller), credential)
      if (created.kind === 'refused') {
        await parts.audit.record({ ...entry, outcome: 'failure' })
        throw notValid('credential', created.reason)
      }
      const passkey: Passkey = { ...created.passkey, accountId, name, createdAt: parts.clock() }
      const outcome = await parts.passkeys.add(passkey, epoch)
      if (outcome !== 'added') throw REFUSALS[outcome]()
      await parts.audit.record(entry)
      await parts.notices?.send('passkey', { email, client, about: 'added' })
      return viewOf(passkey)
    },
})

/** Uses up the challenge before the response is verified. */
async function verified(
  { passkeyVerifier, passkeyChallenges }: GivenParts<readonly ['passkeyVerifier', 'passkeyChallenges']>,
  scope: ChallengeScope,
  response: JsonObject,
): Promise<VerifiedRegistration> {
  const challenge = passkeyVerifier.read(response)?.challenge
  if (challenge !== undefined && (await passkeyChallenges.consume(scope, challenge)))
    return await passkeyVerifier.verifyRegistration(response, challenge)
  return { kind: 'refused', reason: 'the challenge is unknown, expired or used up' }
}

const REFUSALS: Readonly<Record<'taken' | 'full' | 'changed', () => Refusal>> = {
  taken: () => refuse('conflict', 'Conflict', 'An account already has this passkey.'),
  full: () => refuse('conflict', 'Conflict', 'The account has too many passkeys: remove one first.'),
  changed: () => invalidToken('the account was removed or disabled, or its epoch has changed'),
}

async function defaultName(
  { nameClient }: { readonly nameClient?: NameClient | undefined },
  client: ClientContext | undefined,
): Promise<string> {
  const named = client?.userAgent ? await nameClient?.(client.userAgent) : undefined
  return (named !== undefined && clientName(named)) || 'Passkey'
}
