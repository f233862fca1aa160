import assert from 'node:assert/strict'
import type { Account } from '../domain/identity/account.js'
import type { PartialStore, Store } from '../ports/store.js'
import { issueReset, useOf } from './proofs/arrangements.js'
import { emailOf, hashOf, NOW } from './samples.js'

/**
 * A store call that increments an account's epoch: the call ends all sessions and stateless logins of the account,
 * invalidates its proofs, and ends all sessions in which the account is the actor.
 */
export type Ending = {
  /** The call's name in law titles. */
  readonly name: string
  readonly end: (store: Store, account: Account) => Promise<unknown>
  /** Whether the account is unable to log in afterwards. */
  readonly locksOut?: boolean
}

export const ENDINGS: readonly Ending[] = [
  { name: 'setPassword', end: ({ accounts }, { id }) => accounts.setPassword(id, hashOf('new')) },
  {
    name: 'changePassword',
    end: ({ accounts }, { id, passwordHash: expected = hashOf('') }) =>
      accounts.changePassword({ id, expected, next: hashOf('new') }),
  },
  { name: 'a reset', end: resetPassword },
  {
    name: 'changeEmail',
    end: ({ accounts }, { id }) => accounts.changeEmail({ id, email: emailOf(`${id} moved`) }),
  },
  { name: 'disabling', end: ({ accounts }, { id }) => accounts.setDisabled(id, NOW), locksOut: true },
  {
    name: 'disabling and enabling',
    end: async ({ accounts }, { id }) => {
      await accounts.setDisabled(id, NOW)
      await accounts.setDisabled(id, undefined)
    },
  },
  { name: 'endAllOf', end: ({ sessions }, { id }) => sessions.endAllOf(id) },
  { name: 'remove', end: ({ accounts }, { id }) => accounts.remove(id), locksOut: true },
]

/** Resets the password by email, or sets it if the store has no proofs. */
export async function resetPassword(store: Store, account: Account): Promise<void> {
  const hash = hashOf('reset')
  if ((store as PartialStore).proofs)
    await store.proofs.resetPassword(useOf(await issueReset(store, account, 'to reset')), hash)
  else await store.accounts.setPassword(account.id, hash)
}

/** Returns the account after the call, or `undefined` if the call prevents the account from logging in. */
export async function accountAfter(store: Store, { id }: Account, { locksOut = false }: Ending) {
  const account = await store.accounts.find(id)
  const isEnabled = account !== undefined && account.disabledAt === undefined
  assert.equal(isEnabled, !locksOut, 'whether the account can log in again')
  return isEnabled ? account : undefined
}
