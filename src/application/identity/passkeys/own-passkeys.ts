import { shownEmail, type AccountId } from '../../../domain/identity/account.js'
import type { JsonObject } from '../../../domain/identity/json-object.js'
import { passkeyIdIn, passkeyName, type Passkey } from '../../../domain/identity/passkey.js'
import { clientName } from '../../../domain/identity/session.js'
import { refuse, invalidToken, type Refusal } from '../../../domain/refusal.js'
import type { NameClient } from '../../../ports/callbacks.js'
import type { Passkeys, VerifiedRegistration } from '../../../ports/passkeys.js'
import type { ClientContext } from '../../client-context.js'
import { parseFields, parseRequired, optional, text } from '../../fields.js'
import { identityOperation, type GivenParts } from '../identity-operation.js'
import { assertOwnLogin, ownAccount, ownLogin, wrongProof } from '../own-account.js'
import { formParser, formText, presentedInput } from '../presented.js'
import type { ChallengeScope } from './challenges.js'
import { handleOf, passkeyResponse } from './prove-passkey.js'

/** A passkey as its owner and operators see it. */
export type PasskeyView = Omit<Passkey, 'accountId' | 'publicKey' | 'counter'>

export function viewOf({ accountId: _, publicKey: __, counter: ___, ...view }: Passkey): PasskeyView {
  return view
}

export function unknownPasskey(): Refusal {
  return refuse('not-found', 'NotFound', 'The account has no such passkey.')
}

export function lastWay(): Refusal {
  return refuse(
    'conflict',
    'Conflict',
    'This is the only way to log in: set a password or add a passkey first.',
  )
}

/** Removes the passkey with this ID. Refuses with `not-found`, or with `conflict` if the passkey is the only way to log in. */
export async function removeOrRefuse(
  { passkeys }: { readonly passkeys: Passkeys },
  accountId: AccountId,
  text: string,
): Promise<void> {
  const id = passkeyIdIn(text)
  const outcome = id === undefined ? 'unknown' : await passkeys.remove(accountId, id)
  if (outcome === 'unknown') throw unknownPasskey()
  if (outcome === 'last-way') throw lastWay()
}

/**
 * Resolves with the passkeys of the caller's account, oldest first. Refuses the call in the same cases as `Authenticate`, and with
 * `forbidden` if the caller lacks the permission `auth: passkey` or acts as another account.
 */
export const listPasskeys = identityOperation({
  permission: ['auth', 'passkey'],
  input: presentedInput,
  parts: ['authenticate', 'passkeys', 'passkeyVerifier'],
  run:
    (parts, { assertPermitted }) =>
    async (presented): Promise<readonly PasskeyView[]> => {
      const caller = assertOwnLogin(await parts.authenticate(presented))
      assertPermitted(caller)
      return (await parts.passkeys.listOf(caller.accountId)).map(viewOf)
    },
})

/**
 * Renames a passkey of the caller's account, and resolves with it. Refuses the call with the first of these codes that applies:
 * - `invalid-token`, `unauthenticated` or `forbidden`: in the same cases as `listPasskeys`;
 * - `malformed`: the ID or the name is not a string;
 * - `invalid`: the name is missing, has more than 64 characters or contains control characters;
 * - `not-found`: the account has no passkey with this ID.
 */
export const renamePasskey = identityOperation({
  permission: ['auth', 'passkey'],
  input: formParser({ id: formText, name: formText }),
  parts: ['authenticate', 'passkeys', 'passkeyVerifier'],
  run:
    (parts, checks) =>
    async (input): Promise<PasskeyView> => {
      const { caller, id: text = '', name: entry } = await ownLogin(parts, input, checks)
      const { name } = parseFields({ name: parseRequired(entry, passkeyName) })
      const id = passkeyIdIn(text)
      if (id === undefined || (await parts.passkeys.rename(caller.accountId, id, name)) === 'unknown')
        throw unknownPasskey()
      const passkey = await parts.passkeys.find(id)
      if (!passkey) throw unknownPasskey()
      return viewOf(passkey)
    },
})

/**
 * Removes a passkey of the caller's account, and notifies the account. Existing logins with the passkey continue. Refuses the call with the
 * first of these codes that applies:
 * - `invalid-token`, `unauthenticated` or `forbidden`: in the same cases as `listPasskeys`;
 * - `malformed`: the ID is not a string;
 * - `invalid-token`: the account is deleted or disabled, or its epoch has changed;
 * - `fresh-login-required`: the last proof of identity is older than ten minutes; see `confirmLogin`;
 * - `not-found`: the account has no passkey with this ID;
 * - `conflict`: the passkey is the only way to log in.
 */
export const removePasskey = identityOperation({
  permission: ['auth', 'passkey'],
  input: formParser({ id: formText }),
  parts: ['authenticate', 'accounts', 'assertFresh', 'passkeys', 'passkeyVerifier', 'notices', 'audit'],
  run:
    (parts, checks) =>
    async (input): Promise<void> => {
      const { caller, client, id: text = '' } = await ownLogin(parts, input, checks)
      parts.assertFresh(caller, await ownAccount(parts, caller))
      await removeOrRefuse(parts, caller.accountId, text)
      const { accountId: subject, email } = caller
      await parts.audit.record({ event: 'passkey.remove', caller, subject, client })
      await parts.notices?.send('passkey', { email, client, about: 'removed' })
    },
})

function registrationScope({ sessionId: binding }: { readonly sessionId: string }): ChallengeScope {
  return { ceremony: 'registration', binding }
}

/**
 * Resolves with the options that a browser needs to create a passkey (`PublicKeyCredentialCreationOptionsJSON`). The challenge is valid for
 * five minutes, for this login only. Refuses the call with the first of these codes that applies:
 * - `invalid-token`, `unauthenticated` or `forbidden`: in the same cases as `listPasskeys`;
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
      const challenge = parts.passkeyChallenges.issue(registrationScope(caller))
      const owner = { handle: handleOf(account), name: shownEmail(account) }
      return parts.passkeyVerifier.creationOptions({ challenge, owner, exclude })
    },
})

/**
 * Adds the passkey that a browser created with the options of `beginPasskey`. Without a name, the passkey is named after the client.
 * Notifies the account. Refuses the call with the first of these codes that applies:
 * - `invalid-token`, `unauthenticated` or `forbidden`: in the same cases as `listPasskeys`;
 * - `malformed`: the response or the name has the wrong type;
 * - `invalid`: the name has more than 64 characters or contains control characters;
 * - `invalid` with `not-valid`: verification failed, or the challenge has expired, has been used, or belongs to another login (this is
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
      const created = await verified(parts, registrationScope(caller), credential)
      if (created.kind === 'refused') throw await wrongProof(parts, entry, 'credential', created.reason)
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
