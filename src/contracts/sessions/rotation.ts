import assert from 'node:assert/strict'
import type { RotationRequest } from '../../domain/identity/rotation.js'
import type { KeyDigest, Session } from '../../domain/identity/session.js'
import type { Store } from '../../ports/store.js'
import { addAccount, addLoggedIn, logIn } from '../arrangements.js'
import { lawOf, type Law } from '../law.js'
import { assertActive, assertInactive, assertFound, sessionIn, read, rotate } from '../logins.js'
import { aRotation, aSession, DAY, keyDigestOf, NOW, pairIdOf, GRACE, SECOND } from '../samples.js'

const loginLaw = lawOf('sessions', addLoggedIn)
const accountLaw = lawOf('sessions', addAccount)

/** Contract tests for refreshing a session. */
export const sessionRotationLaws: readonly Law[] = [
  loginLaw('rotate makes the next generation current, and the current generation previous')
    .protects('A refresh renews the login and changes nothing else.')
    .check(async (store, { session }) => {
      let active = session
      // The second refresh takes place within the grace window of the first, and opens its own window.
      for (const at of [MOVED, UNTIL - 1]) {
        const request = aRotation(active, { at })
        const { pairId, keyDigest } = active.current
        active = { ...active, current: request.next, previous: { pairId, keyDigest, until: at + GRACE } }
        assert.deepEqual(sessionIn(await store.sessions.rotate(request), 'rotated'), active)
        await assertFound(store, active, at)
      }
    }),
  loginLaw('each generation stores the network of its request, if it is known')
    .protects('Using one login from two networks can be detected.')
    .check(async (store, { account }) => {
      const current = { ...aSession(account, 'known').current, network: '203.0.113.7' }
      let active = await logIn(store, account, 'known', { current })
      assert.deepEqual(await read(store, active, NOW), active)
      for (const network of ['2001:db8:0:0::/64', undefined, '203.0.113.8']) {
        const { next } = aRotation(active)
        active = await rotate(store, active, { next: { ...next, ...(network !== undefined && { network }) } })
        assert.equal(active.current.network, network)
        await assertFound(store, active, active.current.issuedAt)
      }
    }),
  accountLaw('a session stays marked as confirmed with a second factor after refreshes')
    .protects('Only a login with a code has the permissions that require a second factor.')
    .check(async (store, account) => {
      for (const change of [{ factor: NOW }, {}]) {
        const session = await logIn(store, account, JSON.stringify(change), change)
        await assertFound(store, session)
        const rotated = await rotate(store, session)
        assert.equal(rotated.factor, session.factor)
        await assertFound(store, rotated, MOVED)
      }
    }),
  accountLaw('a confirmation stores when the owner proved their identity, and refreshes keep this time')
    .protects(
      'A confirmed login satisfies a permission that requires a confirmation only while the confirmation is recent.',
    )
    .check(async (store, account) => {
      const proofs = [{ proved: { at: 0 } }, { proved: { at: NOW, factorAt: NOW + 1 }, factor: NOW }]
      for (const [index, confirmation] of proofs.entries()) {
        await assertFound(store, await logIn(store, account, `opened ${index}`, confirmation))
        const session = await logIn(store, account, `confirmed ${index}`)
        const confirmed = await rotate(store, session, { confirmation })
        const { current, previous } = confirmed
        assert.deepEqual(confirmed, { ...session, ...confirmation, current, previous })
        await assertFound(store, confirmed, MOVED)
        const refreshed = await rotate(store, confirmed)
        assert.deepEqual(refreshed.proved, confirmation.proved)
        const late = aRotation(session, { confirmation, grace: 0 })
        assert.deepEqual(sessionIn(await store.sessions.rotate(late), 'superseded'), refreshed)
        await assertFound(store, refreshed, MOVED + SECOND)
      }
    }),
  loginLaw('rotate returns unknown for an unknown, expired or ended session, regardless of the token')
    .protects('An ended login cannot be refreshed, and its old token is not reported as a replay.')
    .check(async (store, { account, session }) => {
      const stranger = aSession(account, 'never opened')
      assert.deepEqual(await store.sessions.rotate(aRotation(stranger)), { kind: 'unknown' })
      await assertInactive(store, stranger, MOVED)
      const expired = { at: session.current.idleEndsAt, from: pairIdOf('spent'), keyDigest: undefined }
      assert.deepEqual(await store.sessions.rotate(aRotation(session, expired)), { kind: 'unknown' })
      await assertActive(store, session, MOVED)
      await store.sessions.end(session.id)
      await assertInactive(store, session, MOVED)
    }),
  loginLaw('the previous token gets the same successor, with either key')
    .protects('Two tabs that refresh concurrently do not log each other out.')
    .check(async (store, { session }) => {
      const moved = await rotate(store, session)
      for (const at of [MOVED, UNTIL - 1]) {
        for (const keyDigest of [session.current.keyDigest, moved.current.keyDigest]) {
          const answer = await store.sessions.rotate(aRotation(session, { at, keyDigest }, 9))
          assert.deepEqual(sessionIn(answer, 'superseded'), moved)
        }
      }
      assert.deepEqual(await read(store, session, UNTIL - 1), moved, 'nothing was written')
    }),
  loginLaw('a token that was never issued is a replay, with any cookie, and ends only that session')
    .protects("The user's other devices stay logged in.")
    .check(async (store, { account, session }) => {
      const [second, other] = [await logIn(store, account, 'second'), await logIn(store, account, 'other')]
      const from = pairIdOf('never issued')
      await assertReplay(store, session, { from, keyDigest: undefined })
      await assertReplay(store, second, { from, keyDigest: keyDigestOf('unknown') })
      await assertActive(store, other, MOVED)
    }),
  loginLaw('a valid token with the wrong cookie changes nothing')
    .protects('A stolen token alone neither renews a login nor ends it.')
    .check(async (store, { account, session }) => {
      const other = await logIn(store, account, 'other')
      const wrong = [undefined, keyDigestOf('unknown'), other.current.keyDigest, '' as KeyDigest]
      for (const keyDigest of wrong) await assertMismatch(store, session, { keyDigest })
      const moved = await rotate(store, session)
      for (const keyDigest of wrong) {
        await assertMismatch(store, moved, { keyDigest })
        await assertMismatch(store, moved, { from: session.current.pairId, keyDigest })
      }
      await assertActive(store, other, MOVED)
    }),
  loginLaw('the previous key works with the current token only within the grace window')
    .protects('A client that missed one cookie can continue, and an old cookie does not work.')
    .check(async (store, { session }) => {
      const { keyDigest } = session.current
      const moved = await rotate(store, session)
      await assertMismatch(store, moved, { keyDigest, at: UNTIL })
      const twice = await rotate(store, moved, { keyDigest, at: UNTIL - 1 })
      assert.equal(twice.current.number, 3)
      assert.equal(twice.previous?.keyDigest, moved.current.keyDigest)
      await assertMismatch(store, twice, { keyDigest, at: UNTIL - 1 })
    }),
  loginLaw('rotate decides based on the stored session, not on the session in the request')
    .protects('A request without the session, or with an outdated session, gets the same result.')
    .check(async (store, { account, session }) => {
      const other = await logIn(store, account, 'other')
      const { found, ...bare } = aRotation(session)
      const moved = sessionIn(await store.sessions.rotate({ ...bare, found: other }), 'rotated')
      assert.deepEqual(moved.current, bare.next)
      assert.deepEqual(await read(store, session, MOVED), moved)
      assert.deepEqual(await read(store, other, MOVED), other)
      for (const late of [bare, { ...bare, found: moved }, { ...bare, found }])
        assert.deepEqual(sessionIn(await store.sessions.rotate(late), 'superseded'), moved)
      const { found: _, ...next } = aRotation(moved)
      const twice = sessionIn(await store.sessions.rotate(next), 'rotated')
      assert.deepEqual(await read(store, session, next.at), twice)
      await store.sessions.end(session.id)
      const ofEnded = [
        ...[aRotation(twice), aRotation(twice, { keyDigest: keyDigestOf('unknown') })],
        { ...aRotation(other), sessionId: session.id },
      ]
      for (const request of ofEnded)
        assert.deepEqual(await store.sessions.rotate(request), { kind: 'unknown' })
      assert.deepEqual(await read(store, other, MOVED), other)
      await assertInactive(store, session, next.at)
    }),
  loginLaw('no refresh changes the absolute end')
    .protects('A user must log in again after the maximum lifetime.')
    .check(async (store, { session }) => {
      let active = session
      for (let day = 1; day < 30; day += 1) active = await rotate(store, active, { at: NOW + day * DAY })
      assert.deepEqual([active.endsAt, active.createdAt], [session.endsAt, session.createdAt])
      const last = aRotation(active, { at: session.endsAt })
      assert.deepEqual(await store.sessions.rotate(last), { kind: 'unknown' })
      await assertInactive(store, active, session.endsAt)
    }),
]

/** The instant of a law's first rotation, and the instant at which the grace window of this rotation ends. */
export const MOVED = NOW + SECOND
export const UNTIL = MOVED + GRACE

/** Asserts that the request is a replay and that it ends the session. */
export async function assertReplay(store: Store, session: Session, change: Partial<RotationRequest>) {
  const request = aRotation(session, change)
  assert.deepEqual(await store.sessions.rotate(request), { kind: 'replayed' })
  await assertInactive(store, session, request.at)
  assert.deepEqual(await store.sessions.rotate(request), { kind: 'unknown' }, 'the session has ended')
}

/** Asserts that the request is refused because of its cookie and that the session does not change. */
export async function assertMismatch(store: Store, session: Session, change: Partial<RotationRequest>) {
  const request = aRotation(session, { at: MOVED, ...change })
  assert.deepEqual(await store.sessions.rotate(request), { kind: 'mismatched' })
  assert.deepEqual(await read(store, session, request.at), session)
}
