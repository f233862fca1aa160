import type { AccountId } from '../../../domain/identity/account.js'
import { passkeyIdIn, passkeyName, type Passkey } from '../../../domain/identity/passkey.js'
import { refuse, type Refusal } from '../../../domain/refusal.js'
import type { Passkeys } from '../../../ports/passkeys.js'
import { parseFields, parseRequired } from '../../fields.js'
import { identityOperation } from '../identity-operation.js'
import { assertOwnLogin, ownAccount, ownLogin } from '../own-account.js'
import { formParser, formText, presentedInput } from '../presented.js'

/** A passkey as its owner and operators see it. */
export type PasskeyView = Omit<Passkey, 'accountId' | 'publicKey' | 'counter'>

export function viewOf({ accountId: _, publicKey: __, counter: ___, ...view }: Passkey): PasskeyView {
  return view
}

/** Returns the refusal for a passkey that the account does not have. */
export function unknownPasskey(): Refusal {
  return refuse('not-found', 'NotFound', 'The account has no such passkey.')
}

/** Returns the refusal to remove the last passkey of an account without a password. */
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
