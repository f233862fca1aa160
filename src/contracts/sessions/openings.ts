import assert from 'node:assert/strict'
import type { Account, Epoch } from '../../domain/identity/account.js'
import type { OpenedBy, Session } from '../../domain/identity/session.js'
import type { Store } from '../../ports/store.js'
import { enrol, logIn } from '../arrangements.js'
import { activeIds, actorAndTarget, assertActive, assertGone, rotate } from '../active-sessions.js'
import { inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aGeneration, anActor, aSession, AWKWARD_TEXTS, DAY, keyDigestOf, NOW, SECOND } from '../samples.js'

const law = lawOf('sessions')
const LATER = NOW + 10 * SECOND

/** What is kept of how a session was opened, and how many an account may have. */
export const sessionOpeningLaws: readonly Law[] = [
  law('a session tells where its login came from, as far as that is known, after a refresh too')
    .protects('A user knows the own devices by their list.')
    .check(async (store) => {
      const ann = await enrol(store)
      const origins: readonly OpenedBy[] = [
        { client: 'Firefox 130 on Linux', network: '203.0.113.7' },
        { client: 'curl 8.5.0' },
        { network: '2001:db8:0:0::/64' },
        ...AWKWARD_TEXTS.map((client) => ({ client })),
      ]
      for (const [index, openedBy] of origins.entries()) {
        const session = await logIn(store, ann, `known ${index}`, { openedBy })
        await assertShown(store, session)
        await assertShown(store, await rotate(store, session))
      }
      const session = await logIn(store, ann, 'unknown')
      await assertShown(store, session)
      assert.ok(!('openedBy' in (await rotate(store, session))))
    }),
  law('of a session that its account or its actor does not let be active when it is opened nothing is kept')
    .protects('A deletion that a login races leaves neither an address nor an email behind.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
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
        assert.equal(await store.sessions.end(id), 'ended', 'what was not opened ends none')
      assert.equal(await store.sessions.purge(NOW + 3_650 * DAY, 10), 0)
    }),
  law('openWithLimit opens the session, and ends the oldest of those that are too many')
    .protects('A session that was forgotten goes before one that is in use.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      await openAt(store, bob, NOW, 3)
      const third = await openAt(store, ann, NOW + 2, 3)
      const older = await openAt(store, ann, NOW, 3)
      const newer = await rotate(store, await openAt(store, ann, NOW + 1, 3))
      for (const session of [older, newer, third]) await assertActive(store, session, LATER)
      const fourth = { ...aSession(ann, 'fourth'), createdAt: NOW + 3 }
      assert.equal(await store.sessions.openWithLimit(fourth, 3), 1)
      await assertShown(store, fourth)
      await assertGone(store, older, LATER)
      for (const session of [newer, third, fourth]) await assertActive(store, session, LATER)
      const fifth = { ...aSession(ann, 'fifth'), createdAt: NOW + 4 }
      assert.equal(await store.sessions.openWithLimit(fifth, 1), 3)
      assert.deepEqual(await activeIds(store, ann, LATER), [fifth.id])
      assert.equal((await activeIds(store, bob, LATER)).length, 1)
    }),
  law('openWithLimit never ends the session that it opens, also where its clock is behind')
    .protects('No login is answered that is gone already.')
    .check(async (store) => {
      const ann = await enrol(store)
      const [older] = [await openAt(store, ann, NOW + 1, 2), await openAt(store, ann, NOW + 2, 2)]
      const late = { ...aSession(ann, 'late'), createdAt: NOW }
      assert.equal(await store.sessions.openWithLimit(late, 2), 1)
      await assertActive(store, late, LATER)
      await assertGone(store, older, LATER)
    }),
  law('what has ended and what has an actor takes no place of the limit')
    .protects('No device is logged out for a session of no use, nor for the work of an administrator.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const acting = await logIn(store, target, 'acting', { actor: anActor(actor) })
      const kept = await logIn(store, target, 'kept')
      const current = { ...aGeneration('idle'), idleEndsAt: NOW + DAY }
      await logIn(store, target, 'idle', { createdAt: NOW + SECOND, current })
      await logIn(store, target, 'absolute', { createdAt: NOW + SECOND, endsAt: NOW + DAY })
      const next = { ...aSession(target, 'next'), createdAt: NOW + DAY }
      assert.equal(await store.sessions.openWithLimit(next, 2), 0)
      for (const session of [acting, kept, next]) await assertActive(store, session, NOW + DAY)
    }),
  law('however many are opened with a limit at once, as many as may be are active when all are done')
    .protects('A program that logs in repeatedly stays within the limit, and a double click keeps one login.')
    .check(async (store) => {
      const ann = await enrol(store)
      await inRounds(async (round) => {
        for (const most of [1, 4]) {
          await race((caller) =>
            store.sessions.openWithLimit(aSession(ann, `${round} ${most} ${caller}`), most),
          )
          assert.equal((await activeIds(store, ann, LATER)).length, most)
        }
      })
      const last = await openAt(store, ann, NOW + SECOND, 4)
      await assertActive(store, last, LATER)
    }),
]

async function openAt(store: Store, account: Account, createdAt: number, most: number): Promise<Session> {
  const session = { ...aSession(account, `${account.id} ${createdAt}`), createdAt }
  await store.sessions.openWithLimit(session, most)
  return session
}

/** By its key, by its id and on a page. */
async function assertShown(store: Store, session: Session): Promise<void> {
  const { accountId, current } = session
  assert.deepEqual((await store.sessions.find(current.keyDigest, NOW))?.session, session)
  assert.deepEqual((await store.sessions.findById(session.id, NOW))?.session, session)
  const page = await store.sessions.pageOf({ accountId, limit: 100, at: NOW })
  const shown = page.find(({ id }) => id === session.id)
  assert.deepEqual(shown, session)
}
