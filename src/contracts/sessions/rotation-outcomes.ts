import assert from 'node:assert/strict'
import type { Session } from '../../domain/identity/session.js'
import type { RotationRequest } from '../../domain/identity/rotation.js'
import type { Store } from '../../ports/store.js'
import { assertDead, read } from '../arrangements.js'
import { aRotation, GRACE, NOW, SECOND } from '../samples.js'

/** When the first rotation of a law is made, and when its window ends. */
export const MOVED = NOW + SECOND
export const UNTIL = MOVED + GRACE

/** The request is a replay, and nothing of the session is left. */
export async function assertReplay(
  store: Store,
  session: Session,
  change: Partial<RotationRequest>,
): Promise<void> {
  const request = aRotation(session, change)
  assert.deepEqual(await store.sessions.rotate(request), { kind: 'replayed' })
  await assertDead(store, session, request.at)
  assert.deepEqual(await store.sessions.rotate(request), { kind: 'unknown' }, 'a second time there is none')
}

/** The request is refused for its cookie, and the session is as it was. */
export async function assertMismatch(
  store: Store,
  session: Session,
  change: Pick<RotationRequest, 'keyDigest'> & Partial<RotationRequest>,
): Promise<void> {
  const request = aRotation(session, { at: MOVED, ...change })
  assert.deepEqual(await store.sessions.rotate(request), { kind: 'mismatched' })
  assert.deepEqual(await read(store, session, request.at), session)
}
