import assert from 'node:assert/strict'
import type { Account } from '../domain/identity/account.js'
import type { IssuedResetToken } from '../domain/identity/reset-token.js'
import type { ResetConsumption } from '../ports/accounts.js'
import type { Store } from '../ports/store.js'
import { aConsumption } from './samples.js'
import { addAccount, issueResetToken, accountOf } from './arrangements.js'

/** An account with a reset token. */
export type AccountWithReset = { readonly account: Account; readonly issued: IssuedResetToken }

/** Inserts an account and issues a reset token for it. */
export async function accountWithReset(store: Store, name = 'ann'): Promise<AccountWithReset> {
  const account = await addAccount(store, name)
  return { account, issued: await issueResetToken(store, account) }
}

/** Asserts that the token is valid until it is consumed, and that it resets the password only once. */
export async function assertConsumes(
  store: Store,
  { account, issued: { digest } }: AccountWithReset,
  change: Partial<ResetConsumption> = {},
): Promise<void> {
  const input = aConsumption(account, { digest }, change)
  const holds = async () => await store.accounts.holdsResetToken(input.email, digest, input.at)
  for (const look of ['first', 'second'])
    assert.equal(await holds(), true, `the token is stored at the ${look} look-up`)
  assert.equal(await store.accounts.consumeResetToken(input), account.id, 'the token is consumed')
  assert.equal((await accountOf(store, account.id)).passwordHash, input.hash)
  assert.equal(await holds(), false, 'the token is not stored any more')
  assert.equal(await store.accounts.consumeResetToken(input), undefined, 'the token is consumed only once')
}

/** Asserts that the reset is refused and does not change any account. */
export async function assertResetRefused(store: Store, input: ResetConsumption): Promise<void> {
  const before = await store.accounts.page(undefined, 100)
  const holds = await store.accounts.holdsResetToken(input.email, input.digest, input.at)
  assert.equal(holds, false, 'no token is stored')
  assert.equal(await store.accounts.consumeResetToken(input), undefined, 'no token is consumed')
  assert.deepEqual(await store.accounts.page(undefined, 100), before)
}
