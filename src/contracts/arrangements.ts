import assert from 'node:assert/strict'
import type { Role } from '../domain/access/role.js'
import type { PetDraft, PetId } from '../domain/catalogue/pet.js'
import type { Account, AccountId } from '../domain/identity/account.js'
import type { Passkey } from '../domain/identity/passkey.js'
import type { Proof, ProofDigest, ProofPurpose } from '../domain/identity/proof.js'
import type { Session } from '../domain/identity/session.js'
import type { NewAccount } from '../ports/accounts.js'
import type { ProofUse } from '../ports/proofs.js'
import type { Store, PartialStore } from '../ports/store.js'
import { eachInOrder, numbersBelow } from './law.js'
import {
  NOW,
  SECOND,
  anActivation,
  aNewAccount,
  aPasskey,
  aRole,
  aSession,
  aProof,
  hashOf,
  emailOf,
} from './samples.js'

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

export async function ensureRole(store: Store, key: string): Promise<Role> {
  const role = aRole(key)
  await store.roles.insert(role)
  return role
}

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

/** Activates a second factor for the account, with the recovery codes "one" and "two", which are prefixed with the label. */
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

export async function addAccountWithFactor(store: Store, name?: string): Promise<Account> {
  const account = await addAccount(store, name)
  await addFactor(store, account)
  return account
}

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

export async function addLoggedIn(store: Store, name?: string) {
  const account = await addAccount(store, name)
  return { account, session: await logIn(store, account, name) }
}

export async function addPet(store: Store, draft: PetDraft): Promise<PetId> {
  const answer = await store.pets.insert(draft)
  assert.ok(answer.kind === 'inserted', 'a pet without an idempotency key is always created')
  return answer.id
}

export async function issue(
  { proofs }: Store,
  purpose: ProofPurpose,
  label: string,
  change: Partial<Proof> = {},
): Promise<Proof> {
  const proof = aProof(purpose, label, change)
  await proofs.issue(proof)
  return proof
}

/** Stores proofs that undo this many email changes, in the order of the changes. */
export async function issueUndos(store: Store, { id: accountId }: Account, count: number) {
  return await eachInOrder(
    numbersBelow(count),
    async (number) => await issue(store, 'undo-email', `${accountId} undo ${10 + number}`, { accountId }),
  )
}

export async function issueReset(
  store: Store,
  account: Account,
  label = 'reset',
  change: Partial<Proof> = {},
) {
  const { id: accountId, epoch, email } = account
  return await issue(store, 'reset-password', `${accountId} ${label}`, { accountId, epoch, email, ...change })
}

export function useOf({ digest }: Proof, at = NOW): ProofUse {
  return { digest: digest as ProofDigest, at }
}

export const newAccount = (name: string) => ({ passwordHash: hashOf(name), createdAt: NOW })

/** Uses a proof and returns the outcome in one word. */
type Use = (store: Store, use: ProofUse) => Promise<string>

const createAccount: Use = async ({ proofs }, use) =>
  (await proofs.createAccount({ ...use, account: newAccount('new') })).kind

/** For each purpose, the call that uses up a proof. */
export const USES: Readonly<Record<ProofPurpose, Use>> = {
  'sign-up': createAccount,
  invitation: createAccount,
  'change-email': ({ proofs }, use) => proofs.changeEmail(use, aProof('undo-email', `undo ${use.digest}`)),
  'undo-email': ({ proofs }, use) => proofs.undoEmail(use),
  login: ({ proofs }, use) => proofs.consume(use),
  'reset-password': async ({ proofs }, use) => `${await proofs.resetPassword(use, hashOf('reset'))}`,
}

/**
 * A store call that increments an account's epoch: the call ends all sessions and stateless logins of the account, invalidates its proofs,
 * and ends all sessions in which the account is the actor.
 */
export type Ending = {
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
