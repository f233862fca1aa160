import assert from 'node:assert/strict'
import type { Account } from '../domain/identity/account.js'
import type { Session } from '../domain/identity/session.js'
import type { Instant } from '../domain/instant.js'
import type { Rotation, RotationRequest } from '../domain/identity/rotation.js'
import type { Store } from '../ports/store.js'
import { anActor, aRotation, NOW, pairIdOf } from './samples.js'
import { enrol, logIn } from './arrangements.js'

/** Refreshes the session; returns it with its new generation. */
export async function rotate(store: Store, session: Session, change: Partial<RotationRequest> = {}) {
  return movedBy(await store.sessions.rotate(aRotation(session, change)), 'rotated')
}

/** The session in the answer, which must be of this kind. */
export function movedBy(answer: Rotation, kind: 'rotated' | 'superseded'): Session {
  if (answer.kind === kind) return answer.session
  return assert.fail(`the answer is ${answer.kind}, not ${kind}`)
}

/** The session as a look-up by its ID returns it. */
export async function read(store: Store, session: Session, at: Instant): Promise<Session | undefined> {
  return (await store.sessions.findById(session.id, at))?.session
}

/** The look-ups by key and by ID and a page of the account return exactly this session. */
export async function assertFound(store: Store, session: Session, at: Instant = NOW): Promise<void> {
  assert.deepEqual((await store.sessions.find(session.current.keyDigest, at))?.session, session)
  assert.deepEqual(await read(store, session, at), session)
  assert.deepEqual(await onPage(store, session, at), session)
}

/** The look-ups by ID and by key and a page of the account find the session. */
export async function assertActive(store: Store, session: Session, at: Instant): Promise<void> {
  assert.equal((await read(store, session, at))?.id, session.id, 'it is found by its id')
  const found = await store.sessions.find(session.current.keyDigest, at)
  assert.equal(found?.session.id, session.id, 'it is found by its key')
  assert.ok(await onPage(store, session, at), 'it is on a page')
}

/** No read finds the session, and every refresh is `unknown`: with a valid, a spent or an unknown token. */
export async function assertDead(store: Store, session: Session, at: Instant): Promise<void> {
  const { current, previous } = session
  for (const from of [current.pairId, previous?.pairId ?? current.pairId, pairIdOf('unknown')]) {
    const request = aRotation(session, { from, at })
    assert.deepEqual(await store.sessions.rotate(request), { kind: 'unknown' })
    assert.equal(await store.sessions.find(request.next.keyDigest, at), undefined, 'it gets no new key')
  }
  assert.equal(await read(store, session, at), undefined, 'it is not found by its id')
  for (const { keyDigest } of previous ? [current, previous] : [current])
    assert.equal(await store.sessions.find(keyDigest, at), undefined, 'its keys find nothing')
  assert.equal(await onPage(store, session, at), undefined, 'it is on no page')
}

async function onPage(store: Store, { id, accountId }: Session, at: Instant): Promise<Session | undefined> {
  return (await store.sessions.pageOf({ accountId, limit: 100, at })).find((one) => one.id === id)
}

/** The sorted IDs of the active sessions of the account. */
export async function activeIds(store: Store, { id }: Pick<Account, 'id'>, at: Instant) {
  const page = await store.sessions.pageOf({ accountId: id, limit: 100, at })
  return page.map((session) => session.id).sort()
}

/** Two accounts; the laws let the actor act as the target. */
export async function actorPair(store: Store, name = 'actor') {
  return { actor: await enrol(store, name), target: await enrol(store, 'target') }
}

/** Opens a session in which the actor acts as the target. */
export async function impersonate(store: Store, name = 'actor') {
  const { actor, target } = await actorPair(store, name)
  return { actor, target, acting: await actAs(store, target, actor) }
}

/** Opens a session of the target with this actor. */
export async function actAs(
  store: Store,
  target: Account,
  actor: Account,
  label = 'acting',
): Promise<Session> {
  return await logIn(store, target, label, { actor: anActor(actor) })
}
