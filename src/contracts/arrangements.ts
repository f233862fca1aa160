import assert from 'node:assert/strict'
import type { Role } from '../domain/access/role.js'
import type { PetDraft, PetId } from '../domain/catalogue/pet.js'
import type { Account, AccountId } from '../domain/identity/account.js'
import type { Passkey } from '../domain/identity/passkey.js'
import type { Session } from '../domain/identity/session.js'
import type { NewAccount } from '../ports/accounts.js'
import type { Store } from '../ports/store.js'
import { eachInOrder, numbersBelow } from './barrier.js'
import { NOW, SECOND, anActivation, aNewAccount, aPasskey, aRole, aSession } from './samples.js'

/** Inserts an account for a law and returns it. */
export async function addAccount(
  store: Store,
  name = 'ann',
  change: Partial<NewAccount> = {},
): Promise<Account> {
  const answer = await store.accounts.insert({ ...aNewAccount(name), ...change })
  assert.ok(answer.kind === 'inserted', `the account ${name} is inserted`)
  return await accountOf(store, answer.id)
}

export async function withoutHash(store: Store, name = 'ann'): Promise<Account> {
  const { email, createdAt } = aNewAccount(name)
  const answer = await store.accounts.insert({ email, createdAt })
  assert.ok(answer.kind === 'inserted', `the account ${name} is inserted`)
  return await accountOf(store, answer.id)
}

/** Returns the account, which must exist. */
export async function accountOf(store: Store, id: AccountId): Promise<Account> {
  const account = await store.accounts.find(id)
  assert.ok(account, 'the account exists')
  return account
}

/** Asserts that every lookup of the account returns exactly this value. */
export async function assertAccount(store: Store, account: Account): Promise<void> {
  assert.deepEqual(await store.accounts.find(account.id), account)
  assert.deepEqual(await store.accounts.findByEmail(account.email), account)
  assert.deepEqual(await store.accounts.page((account.id - 1) as AccountId, 1), [account])
}

/** Inserts the role unless it already exists. */
export async function ensureRole(store: Store, key: string): Promise<Role> {
  const role = aRole(key)
  await store.roles.insert(role)
  return role
}

/** Inserts a role and assigns it to the account. */
export async function giveRole(store: Store, account: Account, key: string): Promise<Role> {
  const role = await ensureRole(store, key)
  assert.equal(await store.roles.assign(account.email, role.key), 'assigned')
  return role
}

/** Opens a session for the account; the properties in `change` override the defaults. */
export async function logIn(store: Store, account: Account, label = 'login', change: Partial<Session> = {}) {
  const session = { ...aSession(account, label), ...change }
  await store.sessions.open(session)
  return session
}

/**
 * Activates a second factor for the account, with the recovery codes "one" and "two", which are prefixed with the
 * label.
 */
export async function addFactor(
  store: Store,
  { id }: Pick<Account, 'id'>,
  label = 'factor',
  at = NOW + SECOND,
): Promise<void> {
  const activation = anActivation(label, { at })
  const { sealedSecret } = activation
  assert.equal(await store.secondFactors.begin(id, { sealedSecret, at: NOW }), 'begun')
  assert.equal(await store.secondFactors.activate(id, activation), 'activated')
}

/** Inserts an account with a second factor. */
export async function addAccountWithFactor(store: Store, name?: string): Promise<Account> {
  const account = await addAccount(store, name)
  await addFactor(store, account)
  return account
}

/** Adds a passkey to the account and returns it. */
export async function addPasskey(
  { passkeys }: Store,
  account: Account,
  label: string,
  change: Partial<Passkey> = {},
): Promise<Passkey> {
  const passkey = aPasskey(account, label, change)
  assert.equal(await passkeys.add(passkey, account.epoch), 'added')
  return passkey
}

/** Adds this many passkeys with the labels `0`, `1` and so on, prefixed with the account's email. */
export async function addPasskeys(store: Store, account: Account, count: number) {
  return await eachInOrder(
    numbersBelow(count),
    async (number) =>
      await addPasskey(store, account, `${account.email} ${number}`, { createdAt: NOW + number }),
  )
}

/** Inserts an account and opens a session. */
export async function addLoggedIn(store: Store, name?: string) {
  const account = await addAccount(store, name)
  return { account, session: await logIn(store, account, name) }
}

/** Inserts a pet and returns its ID. */
export async function addPet(store: Store, draft: PetDraft): Promise<PetId> {
  const answer = await store.pets.insert(draft)
  assert.ok(answer.kind === 'inserted', 'a pet without an idempotency key is always created')
  return answer.id
}
