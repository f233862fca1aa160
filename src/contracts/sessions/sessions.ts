import assert from 'node:assert/strict'
import type { Epoch, Account } from '../../domain/identity/account.js'
import type { KeyDigest, Session, SessionId, OpenedBy } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { Store } from '../../ports/store.js'
import { accountOf, addAccount, giveRole, addLoggedIn, logIn } from '../arrangements.js'
import { lawOf, type Law, race } from '../law.js'
import { assertActive, assertInactive, assertFound, rotate, activeIds, impersonate } from '../logins.js'
import {
  aGeneration,
  aRotation,
  DAY,
  GRACE,
  keyDigestOf,
  NOW,
  pairIdOf,
  SECOND,
  sessionIdOf,
  anActor,
  aSession,
  AWKWARD_STRINGS,
} from '../samples.js'

const law = lawOf('sessions')
const accountLaw = lawOf('sessions', addAccount)
const loginLaw = lawOf('sessions', addLoggedIn)
const LATER = NOW + 10 * SECOND

/** Contract tests for opening and finding sessions, for the stored client of a login, and for the session limit of an account. */
export const sessionLaws: readonly Law[] = [
  accountLaw('a session is found by its key and by its id, with its account and roles')
    .protects('A logged-in user is identified and has the current roles.')
    .check(async (store, ann) => {
      await giveRole(store, ann, 'writer')
      await giveRole(store, ann, 'editor')
      const session = await logIn(store, ann)
      const expected = { session, account: await accountOf(store, ann.id) }
      assert.equal(expected.account.roles.length, 2)
      assert.deepEqual(await store.sessions.find(session.current.keyDigest, NOW), expected)
      assert.deepEqual(await store.sessions.findById(session.id, NOW), expected)
    }),
  law('no session is found by an unknown key or ID')
    .protects('A guessed key does not work, and keys are case-sensitive.')
    .check(async (store) => {
      const { id, current } = (await addLoggedIn(store)).session
      const capital = current.keyDigest.toUpperCase()
      const keys = ['', capital, keyDigestOf('other'), id, current.pairId, '%', '$ne', '__proto__']
      for (const text of keys)
        assert.equal(await store.sessions.find(text as KeyDigest, NOW), undefined, text)
      const ids = ['', id.toUpperCase(), sessionIdOf('other'), current.keyDigest, '%', '$ne']
      for (const text of ids)
        assert.equal(await store.sessions.findById(text as SessionId, NOW), undefined, text)
    }),
  law('a session is stored together with its previous generation')
    .protects('A session can be copied to another store during a refresh.')
    .check(async (store) => {
      const previous = { pairId: pairIdOf('old'), keyDigest: keyDigestOf('old'), until: NOW + GRACE }
      const current = aGeneration('login', 2)
      const session = await logIn(store, await addAccount(store), 'login', { current, previous })
      await assertFound(store, session)
      assert.deepEqual((await store.sessions.find(previous.keyDigest, NOW))?.session, session)
    }),
  loginLaw('a session ends exactly at its idle expiry')
    .protects('An inactive user is logged out on time.')
    .check(async (store, { session }) => {
      await assertEndsAt(store, session, session.current.idleEndsAt)
    }),
  law('a session ends exactly at its absolute expiry')
    .protects('Refreshing cannot make a login last forever.')
    .check(async (store) => {
      const endsAt = NOW + 2 * DAY
      const session = await logIn(store, await addAccount(store), 'login', { endsAt })
      await assertEndsAt(store, session, endsAt)
    }),
  loginLaw('a previous key works only until its grace window ends')
    .protects('A stolen old cookie soon stops working.')
    .check(async (store, { session }) => {
      const moved = await rotate(store, session)
      const until = NOW + SECOND + GRACE
      for (const at of [NOW + SECOND, until - 1])
        assert.deepEqual((await store.sessions.find(session.current.keyDigest, at))?.session, moved)
      for (const at of [until, until + 1, until + DAY])
        assert.equal(await store.sessions.find(session.current.keyDigest, at), undefined)
      await assertActive(store, moved, until)
    }),
  law('a previous key does not work after its session has ended')
    .protects('The grace window does not extend a session.')
    .check(async (store) => {
      const endsAt = NOW + 2 * SECOND
      const session = await logIn(store, await addAccount(store), 'login', { endsAt })
      await rotate(store, session)
      assert.ok(await store.sessions.find(session.current.keyDigest, endsAt - 1))
      assert.equal(await store.sessions.find(session.current.keyDigest, endsAt), undefined)
    }),
  law('a session opened for a disabled or removed account, or with a different epoch, is never active')
    .protects(
      'A login that races a password change, or the disabling or removal of its account, does not survive.',
    )
    .check(async (store) => {
      const [ann, bob, cid] = [
        await addAccount(store, 'ann'),
        await addAccount(store, 'bob'),
        await addAccount(store, 'cid'),
      ]
      await store.accounts.setDisabled(bob.id, NOW)
      await store.accounts.remove(cid.id)
      const locked = await accountOf(store, bob.id)
      const others = [0, 2].map((epoch) => ({ ...ann, epoch: epoch as Epoch }))
      for (const [index, account] of [bob, locked, cid, ...others].entries())
        await assertInactive(store, await logIn(store, account, `late ${index}`), NOW)
      await assertActive(store, await logIn(store, ann, 'fresh'), NOW)
    }),
  accountLaw('a session keeps its client and network, even after a refresh')
    .protects('Users recognize their devices in the list.')
    .check(async (store, ann) => {
      const origins: readonly OpenedBy[] = [
        { client: 'Firefox 130 on Linux', network: '203.0.113.7' },
        { network: '2001:db8:0:0::/64' },
        ...AWKWARD_STRINGS.map((client) => ({ client })),
      ]
      for (const [index, openedBy] of origins.entries()) {
        const session = await logIn(store, ann, `known ${index}`, { openedBy })
        await assertFound(store, session)
        await assertFound(store, await rotate(store, session))
      }
      const session = await logIn(store, ann, 'unknown')
      await assertFound(store, session)
      assert.ok(!('openedBy' in (await rotate(store, session))))
    }),
  law('opening a session with a removed account, a removed actor or a different epoch stores nothing')
    .protects('A deletion that races a login leaves no address or email behind.')
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      await store.accounts.remove(ann.id)
      const openedBy = { client: 'Firefox 130 on Linux', network: '203.0.113.7' }
      const active = [await logIn(store, bob, 'active'), await logIn(store, bob, 'another')]
      const late = [
        { ...aSession(ann, 'own'), openedBy },
        { ...aSession(bob, 'actor'), actor: anActor(ann) },
        { ...aSession({ ...bob, epoch: (bob.epoch + 1) as Epoch }, 'epoch'), openedBy },
      ]
      for (const session of late) await store.sessions.open(session)
      for (const { id, ...session } of late) {
        const another = { ...aSession(bob, `${id} again`), ...session }
        const current = { ...another.current, keyDigest: keyDigestOf(`${id} again`) }
        assert.equal(await store.sessions.openWithLimit({ ...another, current }, 1), 0)
      }
      for (const { id } of active)
        assert.equal(await store.sessions.end(id), 'ended', 'the session had not ended before')
      assert.equal(await store.sessions.purge(NOW + 3_650 * DAY, 10), 0)
    }),
  law('openWithLimit opens the session and ends the oldest sessions that exceed the limit')
    .protects('A forgotten session ends before a recently used session.')
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      await openAt(store, bob, NOW, 3)
      const third = await openAt(store, ann, NOW + 2, 3)
      const older = await openAt(store, ann, NOW, 3)
      const newer = await rotate(store, await openAt(store, ann, NOW + 1, 3))
      for (const session of [older, newer, third]) await assertActive(store, session, LATER)
      const fourth = { ...aSession(ann, 'fourth'), createdAt: NOW + 3 }
      assert.equal(await store.sessions.openWithLimit(fourth, 3), 1)
      await assertFound(store, fourth)
      await assertInactive(store, older, LATER)
      for (const session of [newer, third, fourth]) await assertActive(store, session, LATER)
      const fifth = { ...aSession(ann, 'fifth'), createdAt: NOW + 4 }
      assert.equal(await store.sessions.openWithLimit(fifth, 1), 3)
      assert.deepEqual(await activeIds(store, ann, LATER), [fifth.id])
      assert.equal((await activeIds(store, bob, LATER)).length, 1)
    }),
  accountLaw('openWithLimit never ends the session that it opens, even if its clock is behind')
    .protects('A successful login always has an active session.')
    .check(async (store, ann) => {
      const [older] = [await openAt(store, ann, NOW + 1, 2), await openAt(store, ann, NOW + 2, 2)]
      const late = { ...aSession(ann, 'late'), createdAt: NOW }
      assert.equal(await store.sessions.openWithLimit(late, 2), 1)
      await assertActive(store, late, LATER)
      await assertInactive(store, older, LATER)
    }),
  law('ended sessions and sessions with an actor do not count toward the limit')
    .protects('Neither an expired session nor an impersonation logs a device out.')
    .check(async (store) => {
      const { target, acting } = await impersonate(store)
      const kept = await logIn(store, target, 'kept')
      const current = { ...aGeneration('idle'), idleEndsAt: NOW + DAY }
      await logIn(store, target, 'idle', { createdAt: NOW + SECOND, current })
      await logIn(store, target, 'absolute', { createdAt: NOW + SECOND, endsAt: NOW + DAY })
      const next = { ...aSession(target, 'next'), createdAt: NOW + DAY }
      assert.equal(await store.sessions.openWithLimit(next, 2), 0)
      for (const session of [acting, kept, next]) await assertActive(store, session, NOW + DAY)
    }),
  accountLaw('concurrent openWithLimit calls leave as many active sessions as the limit allows')
    .protects(
      'A program that logs in repeatedly stays within the limit, and a double click leaves one login active.',
    )
    .inRounds(async (store, round, ann) => {
      for (const most of [1, 4]) {
        await race((caller) =>
          store.sessions.openWithLimit(aSession(ann, `${round} ${most} ${caller}`), most),
        )
        assert.equal((await activeIds(store, ann, LATER)).length, most)
      }
      await assertActive(store, await openAt(store, ann, NOW + SECOND, 4), LATER)
    }),
]

async function assertEndsAt(store: Store, session: Session, end: Instant): Promise<void> {
  await assertActive(store, session, end - 1)
  for (const at of [end, end + 1]) await assertInactive(store, session, at)
  for (const at of [end, end + 1])
    assert.deepEqual(await store.sessions.rotate(aRotation(session, { at })), { kind: 'unknown' })
}

async function openAt(store: Store, account: Account, createdAt: number, most: number): Promise<Session> {
  const session = { ...aSession(account, `${account.id} ${createdAt}`), createdAt }
  await store.sessions.openWithLimit(session, most)
  return session
}
