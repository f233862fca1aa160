import assert from 'node:assert/strict'
import type { Epoch } from '../../domain/identity/account.js'
import type { KeyDigest, Session, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { Store } from '../../ports/store.js'
import { accountOf, enrol, giveRole, loggedIn, logIn } from '../arrangements.js'
import { assertDead, assertActive, rotate } from '../active-sessions.js'
import { lawOf, type Law } from '../law.js'
import {
  aGeneration,
  aRotation,
  aSession,
  DAY,
  GRACE,
  hashOf,
  keyDigestOf,
  NOW,
  pairIdOf,
  SECOND,
  sessionIdOf,
} from '../samples.js'
import { tamperWith } from '../tamper.js'

const law = lawOf('sessions')

export const sessionLaws: readonly Law[] = [
  law('a session is found by its key and by its id, with account and roles')
    .protects('A logged-in user is known, with the current rights.')
    .check(async (store) => {
      const ann = await enrol(store)
      await giveRole(store, ann, 'writer')
      await giveRole(store, ann, 'editor')
      const session = await logIn(store, ann)
      const expected = { session, account: await accountOf(store, ann.id) }
      assert.equal(expected.account.roles.length, 2)
      assert.deepEqual(await store.sessions.find(session.current.keyDigest, NOW), expected)
      assert.deepEqual(await store.sessions.findById(session.id, NOW), expected)
    }),
  law('a key or id of no session finds nothing')
    .protects('A guess is not a login, nor is a key in another case.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      const capital = session.current.keyDigest.toUpperCase()
      for (const text of [
        '',
        capital,
        keyDigestOf('other'),
        session.id,
        session.current.pairId,
        '%',
        '$ne',
        '__proto__',
      ]) {
        assert.equal(await store.sessions.find(text as KeyDigest, NOW), undefined, text)
      }
      for (const text of [
        '',
        session.id.toUpperCase(),
        sessionIdOf('other'),
        session.current.keyDigest,
        '%',
        '$ne',
      ]) {
        assert.equal(await store.sessions.findById(text as SessionId, NOW), undefined, text)
      }
    }),
  law('sessions of one account and of several are told apart')
    .protects('No account is taken for another.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      const sessions = [
        await logIn(store, ann, 'a1'),
        await logIn(store, bob, 'b1'),
        await logIn(store, ann, 'a2'),
      ]
      for (const session of sessions) {
        const found = await store.sessions.find(session.current.keyDigest, NOW)
        assert.deepEqual([found?.session, found?.account.id], [session, session.accountId])
      }
    }),
  law('a session that has a previous generation is kept with it')
    .protects('Sessions can move to another store in the middle of a refresh.')
    .check(async (store) => {
      const previous = { pairId: pairIdOf('old'), keyDigest: keyDigestOf('old'), until: NOW + GRACE }
      const session = await logIn(store, await enrol(store), 'login', {
        current: aGeneration('login', 2),
        previous,
      })
      assert.deepEqual((await store.sessions.find(session.current.keyDigest, NOW))?.session, session)
      assert.deepEqual((await store.sessions.find(previous.keyDigest, NOW))?.session, session)
    }),
  law('a session lives strictly before its idle end')
    .protects('A user who stays away is logged out on time.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      await assertEndsAt(store, session, session.current.idleEndsAt)
    }),
  law('a session lives strictly before its absolute end')
    .protects('No refresh makes a login last for ever.')
    .check(async (store) => {
      const endsAt = NOW + 2 * DAY
      const session = await logIn(store, await enrol(store), 'login', { endsAt })
      await assertEndsAt(store, session, endsAt)
    }),
  law('a previous key is good strictly before the end of its window')
    .protects('A stolen old cookie is soon worth nothing.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      const moved = await rotate(store, session)
      const until = NOW + SECOND + GRACE
      for (const at of [NOW + SECOND, until - 1])
        assert.deepEqual((await store.sessions.find(session.current.keyDigest, at))?.session, moved)
      for (const at of [until, until + 1, until + DAY])
        assert.equal(await store.sessions.find(session.current.keyDigest, at), undefined)
      await assertActive(store, moved, until)
    }),
  law('a previous key outlives no end of its session')
    .protects('The window extends nothing.')
    .check(async (store) => {
      const endsAt = NOW + 2 * SECOND
      const session = await logIn(store, await enrol(store), 'login', { endsAt })
      await rotate(store, session)
      assert.ok(await store.sessions.find(session.current.keyDigest, endsAt - 1))
      assert.equal(await store.sessions.find(session.current.keyDigest, endsAt), undefined)
    }),
  law('a session that is opened with an earlier epoch is never active')
    .protects('A login that races a password change does not survive it.')
    .check(async (store) => {
      const ann = await enrol(store)
      await store.accounts.setPassword(ann.id, hashOf('new'))
      const session = await logIn(store, ann, 'late')
      await assertDead(store, session, NOW)
      const ahead = await logIn(store, { ...ann, epoch: (ann.epoch + 2) as Epoch }, 'ahead')
      await assertDead(store, ahead, NOW)
      await assertActive(store, await logIn(store, await accountOf(store, ann.id), 'fresh'), NOW)
    }),
  law('a session that is opened for a disabled account is not active')
    .protects('A login that races a lock does not get round it.')
    .check(async (store) => {
      const ann = await enrol(store)
      await store.accounts.setDisabled(ann.id, NOW)
      await assertDead(store, await logIn(store, await accountOf(store, ann.id), 'late'), NOW)
    }),
  law('a session can be opened for a removed account and is not active')
    .protects('A login that races a removal is refused, not broken.')
    .check(async (store) => {
      const ann = await enrol(store)
      await store.accounts.remove(ann.id)
      await assertDead(store, await logIn(store, ann, 'late'), NOW)
    }),
  law('changing what was passed in or handed out changes nothing in the store')
    .protects('Changing an object neither moves the end of a session nor gives a right.')
    .check(async (store) => {
      const ann = await enrol(store)
      const editor = await giveRole(store, ann, 'editor')
      const session = aSession(ann, 'login')
      await store.sessions.open(session)
      tamperWith(session)
      const pristine = aSession(ann, 'login')
      const reads = [
        () => store.sessions.find(pristine.current.keyDigest, NOW),
        () => store.sessions.findById(pristine.id, NOW),
      ]
      for (const again of [1, 2]) {
        for (const readOnce of reads) {
          const found = await readOnce()
          assert.deepEqual([found?.session, found?.account.roles], [pristine, [editor]], `read ${again}`)
          tamperWith(found)
        }
      }
      assert.deepEqual((await accountOf(store, ann.id)).roles, [editor])
    }),
]

async function assertEndsAt(store: Store, session: Session, end: Instant): Promise<void> {
  await assertActive(store, session, end - 1)
  for (const at of [end, end + 1]) await assertDead(store, session, at)
  for (const at of [end, end + 1])
    assert.deepEqual(await store.sessions.rotate(aRotation(session, { at })), { kind: 'unknown' })
}
