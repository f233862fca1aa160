import assert from 'node:assert/strict'
import type { Role } from '../domain/access/role.js'
import type { PetDraft, PetId } from '../domain/catalogue/pet.js'
import type { Account, AccountId } from '../domain/identity/account.js'
import type { Session } from '../domain/identity/session.js'
import type { Store } from '../ports/store.js'
import {
  NOW,
  anActivation,
  aNewAccount,
  anIssuedResetToken,
  aRole,
  aSession,
  sealedSecretOf,
} from './samples.js'

/** Makes an account that a law starts from. */
export async function enrol(store: Store, name = 'ann'): Promise<Account> {
  const answer = await store.accounts.insert(aNewAccount(name))
  assert.ok(answer.kind === 'inserted', `an account of the name ${name} can be made`)
  return await accountOf(store, answer.id)
}

/** The account as it is now; there must be one. */
export async function accountOf(store: Store, id: AccountId): Promise<Account> {
  const account = await store.accounts.find(id)
  assert.ok(account, 'the account is there')
  return account
}

/** Makes a role, which there may be already. */
export async function establish(store: Store, key: string): Promise<Role> {
  const role = aRole(key)
  await store.roles.insert(role)
  return role
}

/** Makes a role and gives it to the account. */
export async function giveRole(store: Store, account: Account, key: string): Promise<Role> {
  const role = await establish(store, key)
  assert.equal(await store.roles.assign(account.email, role.key), 'assigned')
  return role
}

/** Opens a session of the account; `change` is what differs from an ordinary one. */
export async function logIn(store: Store, account: Account, label = 'login', change: Partial<Session> = {}) {
  const session = { ...aSession(account, label), ...change }
  await store.sessions.open(session)
  return session
}

/** Gives the account a second factor with the recovery codes "one" and "two" of this label. */
export async function giveFactor(store: Store, { id }: Pick<Account, 'id'>, label = 'factor'): Promise<void> {
  const sealedSecret = sealedSecretOf(label)
  assert.equal(await store.secondFactors.begin(id, { sealedSecret, at: NOW }), 'begun')
  assert.equal(await store.secondFactors.activate(id, anActivation(label)), 'activated')
}

/** An account with one active session. */
export async function loggedIn(store: Store) {
  const account = await enrol(store)
  return { account, session: await logIn(store, account) }
}

/** Lets the password of the account be reset; it must be able to. */
export async function issueResetToken(store: Store, { id, epoch }: Account, label = 'token') {
  const made = anIssuedResetToken(`${id} ${label}`)
  assert.equal(await store.accounts.issueResetToken(id, epoch, made), 'issued')
  return made
}

/** Inserts a pet; it must be new. */
export async function addPet(store: Store, draft: PetDraft): Promise<PetId> {
  const answer = await store.pets.insert(draft)
  assert.ok(answer.kind === 'inserted', 'a pet without an idempotency key is always made')
  return answer.id
}
