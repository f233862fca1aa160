import assert from 'node:assert/strict'
import type { Role } from '../domain/access/role.js'
import type { PetDraft, PetId } from '../domain/catalogue/pet.js'
import type { Account, AccountId } from '../domain/identity/account.js'
import type { Session } from '../domain/identity/session.js'
import type { IssuedResetToken } from '../domain/identity/reset-token.js'
import type { Instant } from '../domain/instant.js'
import type { ResetConsumption } from '../ports/accounts.js'
import type { StatelessLogin } from '../ports/revocations.js'
import type { LoginPairs, LoginRotation, LoginRotationRequest } from '../domain/identity/login-rotation.js'
import type { Rotation, RotationRequest } from '../domain/identity/rotation.js'
import type { Store } from '../ports/store.js'
import {
  NOW,
  anActivation,
  aNewAccount,
  aConsumption,
  aLoginRotation,
  anIssuedResetToken,
  aRole,
  aRotation,
  aSession,
  pairIdOf,
  sealedSecretOf,
  sessionIdOf,
} from './samples.js'

/** An account with a reset token. */
export type AccountWithReset = { readonly account: Account; readonly issued: IssuedResetToken }

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
export async function logIn(
  store: Store,
  account: Account,
  label = 'login',
  change: Partial<Session> = {},
): Promise<Session> {
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
export async function loggedIn(
  store: Store,
): Promise<{ readonly account: Account; readonly session: Session }> {
  const account = await enrol(store)
  return { account, session: await logIn(store, account) }
}

/** Moves the session on by one generation. */
export async function rotate(
  store: Store,
  session: Session,
  change: Partial<RotationRequest> = {},
): Promise<Session> {
  return movedBy(await store.sessions.rotate(aRotation(session, change)), 'rotated')
}

/** The session of an answer that must be of this kind. */
export function movedBy(answer: Rotation, kind: 'rotated' | 'superseded'): Session {
  if (answer.kind === kind) return answer.session
  return assert.fail(`the answer is ${answer.kind}, not ${kind}`)
}

/** The session as a read by its id gives it. */
export async function read(store: Store, session: Session, at: Instant): Promise<Session | undefined> {
  return (await store.sessions.findById(session.id, at))?.session
}

/** Neither by id, nor by a key, nor by a refresh is anything of the session left. */
export async function assertDead(store: Store, session: Session, at: Instant): Promise<void> {
  assert.equal(await store.sessions.findById(session.id, at), undefined, 'it is not found by its id')
  assert.equal(await store.sessions.find(session.current.keyDigest, at), undefined, 'its key finds nothing')
  if (session.previous) {
    const { keyDigest } = session.previous
    assert.equal(await store.sessions.find(keyDigest, at), undefined, 'its previous key finds nothing')
  }
  const request = aRotation(session, { at })
  await store.sessions.rotate(request)
  assert.equal(await store.sessions.findById(session.id, at), undefined, 'a refresh does not wake it')
  assert.equal(await store.sessions.find(request.next.keyDigest, at), undefined, 'nor give it a new key')
}

/** Both ways to the session still lead to it. */
export async function assertActive(store: Store, session: Session, at: Instant): Promise<void> {
  assert.equal(
    (await store.sessions.findById(session.id, at))?.session.id,
    session.id,
    'it is found by its id',
  )
  const found = await store.sessions.find(session.current.keyDigest, at)
  assert.equal(found?.session.id, session.id, 'it is found by its key')
}

/** Two accounts, of which the first may act as the second. */
export async function actorAndTarget(
  store: Store,
  name = 'actor',
): Promise<Readonly<Record<'actor' | 'target', Account>>> {
  return { actor: await enrol(store, name), target: await enrol(store, 'target') }
}

/** No read finds the session, and no refresh judges it, be its token good, spent or unknown. */
export async function assertGone(store: Store, session: Session, at: Instant): Promise<void> {
  const { current, previous } = session
  for (const from of [current.pairId, previous?.pairId ?? current.pairId, pairIdOf('unknown')]) {
    const answer = await store.sessions.rotate(aRotation(session, { from, at }))
    assert.deepEqual(answer, { kind: 'unknown' })
  }
  await assertDead(store, session, at)
  assert.ok(!(await activeIds(store, { id: session.accountId }, at)).includes(session.id), 'it is on no page')
}

/** Of the active sessions of the account, sorted. */
export async function activeIds(
  store: Store,
  { id }: Pick<Account, 'id'>,
  at: Instant,
): Promise<readonly string[]> {
  const page = await store.sessions.pageOf({ accountId: id, limit: 100, at })
  return page.map((session) => session.id).sort()
}

/** Lets the password of the account be reset; it must be able to. */
export async function issueResetToken(
  store: Store,
  { id, epoch }: Account,
  label = 'token',
): Promise<IssuedResetToken> {
  const made = anIssuedResetToken(`${id} ${label}`)
  assert.equal(await store.accounts.issueResetToken(id, epoch, made), 'issued')
  return made
}

/** An account with a reset token in force. */
export async function accountWithReset(store: Store, name = 'ann'): Promise<AccountWithReset> {
  const account = await enrol(store, name)
  return { account, issued: await issueResetToken(store, account) }
}

/** The token is held for as long as it is not consumed, is consumed, and is held no more. */
export async function assertConsumes(
  store: Store,
  { account, issued: { digest } }: AccountWithReset,
  change: Partial<ResetConsumption> = {},
): Promise<void> {
  const input = aConsumption(account, { digest }, change)
  const holds = async () => await store.accounts.holdsResetToken(input.email, digest, input.at)
  for (const look of ['first', 'second']) assert.equal(await holds(), true, `it is held at the ${look} look`)
  assert.equal(await store.accounts.consumeResetToken(input), account.id, 'it is consumed')
  assert.equal((await accountOf(store, account.id)).passwordHash, input.hash)
  assert.equal(await holds(), false, 'it is spent')
}

/** The reset is refused and changes no account. */
export async function assertVoid(store: Store, input: ResetConsumption): Promise<void> {
  const before = await store.accounts.page(undefined, 100)
  assert.equal(
    await store.accounts.holdsResetToken(input.email, input.digest, input.at),
    false,
    'nothing is held',
  )
  assert.equal(await store.accounts.consumeResetToken(input), undefined, 'nothing is consumed')
  assert.deepEqual(await store.accounts.page(undefined, 100), before)
}

/** A login of the account in its epoch, as tokens of stateless mode tell of it. */
export function statelessLogin({ id, epoch }: Account, label = 'login'): StatelessLogin {
  return { sessionId: sessionIdOf(label), accountId: id, epoch }
}

/** Gives the login its next pair, which must be possible. */
export async function rotateLogin(
  store: Store,
  login: StatelessLogin,
  change: Partial<LoginRotationRequest> = {},
): Promise<LoginPairs> {
  return pairsOf(await store.revocations.rotate(aLoginRotation(login, change)), 'rotated')
}

/** The pairs of an answer that must be of this kind. */
export function pairsOf(answer: LoginRotation, kind: 'rotated' | 'superseded'): LoginPairs {
  if (answer.kind === kind) return answer.pairs
  return assert.fail(`the answer is ${answer.kind}, not ${kind}`)
}

export async function assertRevoked(store: Store, login: StatelessLogin, at: Instant): Promise<void> {
  assert.equal(await store.revocations.isRevoked(login, at), true, `the login is revoked at ${at}`)
}

export async function assertInForce(store: Store, login: StatelessLogin, at: Instant): Promise<void> {
  assert.equal(await store.revocations.isRevoked(login, at), false, `the login is not revoked at ${at}`)
}

/** Inserts a pet; it must be new. */
export async function addPet(store: Store, draft: PetDraft): Promise<PetId> {
  const answer = await store.pets.insert(draft)
  assert.ok(answer.kind === 'inserted', 'a pet without an idempotency key is always made')
  return answer.id
}
