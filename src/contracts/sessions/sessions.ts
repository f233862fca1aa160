import assert from 'node:assert/strict'
import type { Epoch } from '../../domain/identity/account.js'
import type { KeyDigest, Session, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { Store } from '../../ports/store.js'
import { accountOf, addAccount, giveRole, addLoggedIn, logIn } from '../arrangements.js'
import { assertActive, assertInactive, assertFound, rotate } from '../active-sessions.js'
import { lawOf, type Law } from '../law.js'
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
} from '../samples.js'

const law = lawOf('sessions')
const accountLaw = lawOf('sessions', addAccount)
const loginLaw = lawOf('sessions', addLoggedIn)

/** Contract tests for opening and finding sessions. */
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
]

async function assertEndsAt(store: Store, session: Session, end: Instant): Promise<void> {
  await assertActive(store, session, end - 1)
  for (const at of [end, end + 1]) await assertInactive(store, session, at)
  for (const at of [end, end + 1])
    assert.deepEqual(await store.sessions.rotate(aRotation(session, { at })), { kind: 'unknown' })
}
