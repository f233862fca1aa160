import assert from 'node:assert/strict'
import type { Account } from '../domain/identity/account.js'
import type { Session } from '../domain/identity/session.js'
import type { Instant } from '../domain/instant.js'
import type { Rotation, RotationRequest } from '../domain/identity/rotation.js'
import type { Store } from '../ports/store.js'
import { anActor, aRotation, NOW, pairIdOf } from './samples.js'
import { addAccount, logIn } from './arrangements.js'

/** Refreshes the session and returns the refreshed session. */
export async function rotate(store: Store, session: Session, change: Partial<RotationRequest> = {}) {
  return sessionIn(await store.sessions.rotate(aRotation(session, change)), 'rotated')
}

export function sessionIn(answer: Rotation, kind: 'rotated' | 'superseded'): Session {
  if (answer.kind === kind) return answer.session
  return assert.fail(`the result is ${answer.kind}, not ${kind}`)
}

/** Looks up the session by its ID. */
export async function read(store: Store, session: Session, at: Instant): Promise<Session | undefined> {
  return (await store.sessions.findById(session.id, at))?.session
}

/** Asserts that lookups by key and by ID, and a page of the account's sessions, return exactly this session. */
export async function assertFound(store: Store, session: Session, at: Instant = NOW): Promise<void> {
  assert.deepEqual((await store.sessions.find(session.current.keyDigest, at))?.session, session)
  assert.deepEqual(await read(store, session, at), session)
  assert.deepEqual(await onPage(store, session, at), session)
}

/** Asserts that the session is found by ID and by key, and is listed on a page of the account's sessions. */
export async function assertActive(store: Store, session: Session, at: Instant): Promise<void> {
  assert.equal((await read(store, session, at))?.id, session.id, 'the session is found by its id')
  const found = await store.sessions.find(session.current.keyDigest, at)
  assert.equal(found?.session.id, session.id, 'the session is found by its key')
  assert.ok(await onPage(store, session, at), 'the session is on a page')
}

/**
 * Asserts that no read finds the session, and that refreshes and confirmations return `unknown`, even with a valid
 * token.
 */
export async function assertInactive(store: Store, session: Session, at: Instant): Promise<void> {
  const { current, previous } = session
  const spent = previous?.pairId ?? current.pairId
  for (const change of [
    {},
    { from: spent },
    { from: pairIdOf('unknown') },
    { confirmation: { proved: { at } } },
  ]) {
    const request = aRotation(session, { ...change, at })
    assert.deepEqual(await store.sessions.rotate(request), { kind: 'unknown' })
    assert.equal(
      await store.sessions.find(request.next.keyDigest, at),
      undefined,
      'the session gets no new key',
    )
  }
  assert.equal(await read(store, session, at), undefined, 'the session cannot be found by its id')
  for (const { keyDigest } of previous ? [current, previous] : [current])
    assert.equal(await store.sessions.find(keyDigest, at), undefined, 'the session is not found by a key')
  assert.equal(await onPage(store, session, at), undefined, 'the session is not on any page')
}

async function onPage(store: Store, { id, accountId }: Session, at: Instant): Promise<Session | undefined> {
  return (await store.sessions.pageOf({ accountId, limit: 100, at })).find((one) => one.id === id)
}

/** Returns the sorted IDs of the account's active sessions. */
export async function activeIds(store: Store, { id }: Pick<Account, 'id'>, at: Instant) {
  const page = await store.sessions.pageOf({ accountId: id, limit: 100, at })
  return page.map((session) => session.id).sort()
}

/** Inserts two accounts, the actor and the target of an impersonation. */
export async function actorPair(store: Store, name = 'actor') {
  return { actor: await addAccount(store, name), target: await addAccount(store, 'target') }
}

/** Inserts an actor and a target, and opens a session in which the actor impersonates the target. */
export async function impersonate(store: Store, name = 'actor') {
  const { actor, target } = await actorPair(store, name)
  return { actor, target, acting: await actAs(store, target, actor) }
}

/** Opens a session in which the actor impersonates the target. */
export async function actAs(
  store: Store,
  target: Account,
  actor: Account,
  label = 'acting',
): Promise<Session> {
  return await logIn(store, target, label, { actor: anActor(actor) })
}
