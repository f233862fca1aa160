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

/** No look-up by ID or key finds the session, and a refresh does not revive it. */
export async function assertDead(store: Store, session: Session, at: Instant): Promise<void> {
  assert.equal(await store.sessions.findById(session.id, at), undefined, 'it is not found by its id')
  assert.equal(await store.sessions.find(session.current.keyDigest, at), undefined, 'its key finds nothing')
  if (session.previous) {
    const { keyDigest } = session.previous
    assert.equal(await store.sessions.find(keyDigest, at), undefined, 'its previous key finds nothing')
  }
  const request = aRotation(session, { at })
  await store.sessions.rotate(request)
  assert.equal(await store.sessions.findById(session.id, at), undefined, 'a refresh does not revive it')
  assert.equal(await store.sessions.find(request.next.keyDigest, at), undefined, 'it gets no new key')
}

/** The look-ups by key and by ID and a page of the account return exactly this session. */
export async function assertFound(store: Store, session: Session, at: Instant = NOW): Promise<void> {
  const { accountId, current } = session
  assert.deepEqual((await store.sessions.find(current.keyDigest, at))?.session, session)
  assert.deepEqual(await read(store, session, at), session)
  const page = await store.sessions.pageOf({ accountId, limit: 100, at })
  const shown = page.find(({ id }) => id === session.id)
  assert.deepEqual(shown, session)
}

/** The look-ups by ID and by key find the session. */
export async function assertActive(store: Store, session: Session, at: Instant): Promise<void> {
  const foundById = (await store.sessions.findById(session.id, at))?.session.id
  assert.equal(foundById, session.id, 'it is found by its id')
  const found = await store.sessions.find(session.current.keyDigest, at)
  assert.equal(found?.session.id, session.id, 'it is found by its key')
}

/** No read finds the session, and every refresh is `unknown`: with a valid, a spent or an unknown token. */
export async function assertGone(store: Store, session: Session, at: Instant): Promise<void> {
  const { current, previous } = session
  for (const from of [current.pairId, previous?.pairId ?? current.pairId, pairIdOf('unknown')]) {
    const answer = await store.sessions.rotate(aRotation(session, { from, at }))
    assert.deepEqual(answer, { kind: 'unknown' })
  }
  await assertDead(store, session, at)
  assert.ok(!(await activeIds(store, { id: session.accountId }, at)).includes(session.id), 'it is on no page')
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
