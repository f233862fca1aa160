import assert from 'node:assert/strict'
import type { KeyDigest, Session } from '../../domain/identity/session.js'
import { enrol, loggedIn, logIn } from '../arrangements.js'
import { assertDead, assertActive, movedBy, rotate, read } from '../active-sessions.js'
import { lawOf, type Law } from '../law.js'
import {
  aGeneration,
  aRotation,
  aSession,
  DAY,
  keyDigestOf,
  NOW,
  pairIdOf,
  GRACE,
  SECOND,
} from '../samples.js'
import { tamperWith } from '../tamper.js'
import type { RotationRequest } from '../../domain/identity/rotation.js'
import type { Store } from '../../ports/store.js'

const law = lawOf('sessions')

export const sessionRotationLaws: readonly Law[] = [
  law('rotate makes next current and current previous')
    .protects('A refresh renews the login and nothing else.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      const request = aRotation(session)
      const { pairId, keyDigest } = session.current
      const expected = { ...session, current: request.next, previous: { pairId, keyDigest, until: UNTIL } }
      assert.deepEqual(movedBy(await store.sessions.rotate(request), 'rotated'), expected)
      assert.deepEqual(await read(store, session, MOVED), expected)
      assert.deepEqual((await store.sessions.find(request.next.keyDigest, MOVED))?.session, expected)
    }),
  law('a generation is kept with the network that it was made for, and one without has none')
    .protects('It is noticed where a login is used from two places, and only then.')
    .check(async (store) => {
      const { account } = await loggedIn(store)
      const current = { ...aGeneration('known'), network: '203.0.113.7' }
      let active = await logIn(store, account, 'known', { current })
      assert.deepEqual(await read(store, active, NOW), active)
      for (const network of ['2001:db8:0:0::/64', undefined, '203.0.113.8']) {
        const { next } = aRotation(active)
        active = await rotate(store, active, { next: { ...next, ...(network !== undefined && { network }) } })
        assert.equal(active.current.network, network)
        assert.deepEqual(await read(store, active, active.current.issuedAt), active)
        const found = await store.sessions.find(active.current.keyDigest, active.current.issuedAt)
        assert.deepEqual(found?.session, active)
        const page = await store.sessions.pageOf({
          accountId: account.id,
          limit: 9,
          at: active.current.issuedAt,
        })
        const shown = page.find(({ id }) => id === active.id)
        assert.deepEqual(shown, active)
      }
    }),
  law('a session keeps that it was begun with a second factor, through refreshes')
    .protects('A login with a code may do what needs one for as long as it lasts, and no other login may.')
    .check(async (store) => {
      const account = await enrol(store)
      for (const change of [{ factor: true } as const, {}]) {
        const session = await logIn(store, account, JSON.stringify(change), change)
        const found = async () => (await store.sessions.findById(session.id, MOVED))?.session
        assert.deepEqual(await found(), session)
        assert.deepEqual((await store.sessions.find(session.current.keyDigest, NOW))?.session, session)
        const rotated = await rotate(store, session)
        assert.equal(rotated.factor, session.factor)
        assert.deepEqual(await found(), rotated)
      }
      const page = await store.sessions.pageOf({ accountId: account.id, limit: 10, at: MOVED })
      assert.deepEqual(page.map(({ factor }) => factor === true).sort(), [false, true])
    }),
  law('rotate of what is not there or has ended is unknown')
    .protects('An ended login cannot be refreshed.')
    .check(async (store) => {
      const { account, session } = await loggedIn(store)
      const stranger = aSession(account, 'never opened')
      assert.deepEqual(await store.sessions.rotate(aRotation(stranger)), { kind: 'unknown' })
      await assertDead(store, stranger, MOVED)
      await store.sessions.end(session.id)
      const spent = aRotation(session, { from: pairIdOf('spent') })
      assert.deepEqual(await store.sessions.rotate(spent), { kind: 'unknown' })
      await assertDead(store, session, MOVED)
    }),
  law('a session past its end is unknown before its token is judged')
    .protects('An old token of an old login raises no alarm.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      const at = session.current.idleEndsAt
      const request = aRotation(session, { at, from: pairIdOf('spent'), keyDigest: undefined })
      assert.deepEqual(await store.sessions.rotate(request), { kind: 'unknown' })
    }),
  law('the previous token gets the same successor, by either key')
    .protects('Two tabs that refresh at once do not log each other out.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      const moved = await rotate(store, session)
      for (const at of [MOVED, UNTIL - 1]) {
        for (const keyDigest of [session.current.keyDigest, moved.current.keyDigest]) {
          const answer = await store.sessions.rotate(aRotation(session, { at, keyDigest }, 9))
          assert.deepEqual(movedBy(answer, 'superseded'), moved)
        }
      }
      assert.deepEqual(await read(store, session, UNTIL - 1), moved, 'nothing was written')
    }),
  law('a token that was never issued is a replay')
    .protects('A forged generation ends the session that it names.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      await assertReplay(store, session, {
        from: pairIdOf('never issued'),
        keyDigest: keyDigestOf('unknown'),
      })
    }),
  law('a replay ends that session only')
    .protects('The other devices of the user stay logged in.')
    .check(async (store) => {
      const { account, session } = await loggedIn(store)
      const other = await logIn(store, account, 'other')
      await assertReplay(store, session, { from: pairIdOf('spent'), keyDigest: undefined })
      await assertActive(store, other, MOVED)
    }),
  law('a good token with the wrong cookie changes nothing')
    .protects('A stolen token alone neither renews a login nor ends it.')
    .check(async (store) => {
      const { account, session } = await loggedIn(store)
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
  law('the previous key goes with the active token inside its window only')
    .protects('A client that missed one cookie is not lost, an old cookie is worth nothing.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      const { keyDigest } = session.current
      const moved = await rotate(store, session)
      await assertMismatch(store, moved, { keyDigest, at: UNTIL })
      const twice = await rotate(store, moved, { keyDigest, at: UNTIL - 1 })
      assert.equal(twice.current.number, 3)
      assert.equal(twice.previous?.keyDigest, moved.current.keyDigest)
      await assertMismatch(store, twice, { keyDigest, at: UNTIL - 1 })
    }),
  law('what is stored decides about a rotation, whatever session comes with the request')
    .protects('A session that was read a moment ago may have gone on or ended since, and none need come.')
    .check(async (store) => {
      const { account, session } = await loggedIn(store)
      const other = await logIn(store, account, 'other')
      const { found, ...bare } = aRotation(session)
      const moved = movedBy(await store.sessions.rotate({ ...bare, found: other }), 'rotated')
      assert.deepEqual(moved.current, bare.next)
      assert.deepEqual(await read(store, session, MOVED), moved)
      assert.deepEqual(await read(store, other, MOVED), other)
      for (const late of [bare, { ...bare, found: moved }, { ...bare, found }])
        assert.deepEqual(movedBy(await store.sessions.rotate(late), 'superseded'), moved)
      const { found: _, ...next } = aRotation(moved)
      const twice = movedBy(await store.sessions.rotate(next), 'rotated')
      assert.deepEqual(await read(store, session, next.at), twice)
      await store.sessions.end(session.id)
      for (const keyDigest of [twice.current.keyDigest, keyDigestOf('unknown')])
        assert.deepEqual(await store.sessions.rotate(aRotation(twice, { keyDigest })), { kind: 'unknown' })
      await assertDead(store, session, next.at)
    }),
  law('no refresh moves the absolute end')
    .protects('A login is proved anew after its time.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      let active = session
      for (let day = 1; day < 30; day += 1) active = await rotate(store, active, { at: NOW + day * DAY })
      assert.deepEqual([active.endsAt, active.createdAt], [session.endsAt, session.createdAt])
      const last = aRotation(active, { at: session.endsAt })
      assert.deepEqual(await store.sessions.rotate(last), { kind: 'unknown' })
      await assertDead(store, active, session.endsAt)
    }),
  law('changing what rotate was given or gave changes nothing in the store')
    .protects('Changing an object makes no key.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      const request = aRotation(session)
      const rotated = await store.sessions.rotate(request)
      const expected = structuredClone(movedBy(rotated, 'rotated'))
      tamperWith(request)
      tamperWith(rotated)
      assert.deepEqual(await read(store, session, MOVED), expected)
      tamperWith(await store.sessions.rotate(aRotation(session)))
      assert.deepEqual(await read(store, session, MOVED), expected)
    }),
]

/** When the first rotation of a law is made, and when its window ends. */
export const MOVED = NOW + SECOND

export const UNTIL = MOVED + GRACE

/** The request is a replay, and nothing of the session is left. */
export async function assertReplay(store: Store, session: Session, change: Partial<RotationRequest>) {
  const request = aRotation(session, change)
  assert.deepEqual(await store.sessions.rotate(request), { kind: 'replayed' })
  await assertDead(store, session, request.at)
  assert.deepEqual(await store.sessions.rotate(request), { kind: 'unknown' }, 'a second time there is none')
}

/** The request is refused for its cookie, and the session is as it was. */
export async function assertMismatch(store: Store, session: Session, change: Partial<RotationRequest>) {
  const request = aRotation(session, { at: MOVED, ...change })
  assert.deepEqual(await store.sessions.rotate(request), { kind: 'mismatched' })
  assert.deepEqual(await read(store, session, request.at), session)
}
