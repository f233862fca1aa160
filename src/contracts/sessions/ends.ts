import assert from 'node:assert/strict'
import type { Session } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { assertDead, assertActive, enrol, loggedIn, logIn, rotate } from '../arrangements.js'
import { lawOf, type Law } from '../law.js'
import { aGeneration, aRotation, DAY, NOW, SECOND, sessionIdOf } from '../samples.js'

const law = lawOf('sessions')

/** How sessions are ended and how their rows go. */
export const sessionEndLaws: readonly Law[] = [
  law('end ends this session and no other', 'Logging out logs out, on this device.', async (store) => {
    const { account, session } = await loggedIn(store)
    const other = await logIn(store, account, 'other')
    const moved = await rotate(store, session)
    await assertActive(store, moved, NOW + SECOND)
    assert.equal(await store.sessions.end(session.id), 'ended')
    await assertDead(store, moved, NOW + 2 * SECOND)
    assert.deepEqual(await store.sessions.rotate(aRotation(moved)), { kind: 'unknown' })
    await assertActive(store, other, NOW + 2 * SECOND)
  }),
  law('ending a session that is not there is harmless', 'Logging out twice is no error.', async (store) => {
    const { session } = await loggedIn(store)
    assert.equal(await store.sessions.end(sessionIdOf('other')), 'unknown')
    await assertActive(store, session, NOW)
    await store.sessions.end(session.id)
    assert.equal(await store.sessions.end(session.id), 'unknown')
  }),
  law(
    'purge removes what is past one of its ends, for good',
    'The store does not grow by what is not needed.',
    async (store) => {
      const ann = await enrol(store)
      const end = NOW + DAY
      const over = [
        await logIn(store, ann, 'idle', { current: { ...aGeneration('idle'), idleEndsAt: end } }),
        await logIn(store, ann, 'absolute', { endsAt: end }),
      ]
      const kept = await logIn(store, ann, 'kept', { endsAt: end + 1 })
      assert.equal(await store.sessions.purge(end - 1, 10), 0)
      for (const session of [...over, kept]) await assertActive(store, session, end - 1)
      assert.equal(await store.sessions.purge(end, 10), 2)
      assert.equal(await store.sessions.purge(end, 10), 0)
      for (const session of over) await assertDead(store, session, NOW)
      await assertActive(store, kept, NOW)
      assert.equal(await store.sessions.endAllOf(ann.id), 1, 'the rows are gone')
    },
  ),
  law('purge stops at its limit', 'Cleaning up never stands in the way for long.', async (store) => {
    const ann = await enrol(store)
    for (const label of ['1', '2', '3', '4', '5']) await logIn(store, ann, label)
    const counts: number[] = []
    for (let call = 0; call < 4; call += 1) counts.push(await store.sessions.purge(NOW + 30 * DAY, 2))
    assert.deepEqual(counts, [2, 2, 1, 0])
  }),
  law(
    'purge goes by the ends of the active generation',
    'A user who keeps refreshing stays logged in.',
    async (store) => {
      const { session } = await loggedIn(store)
      const at = session.current.idleEndsAt - 1
      const moved = await rotate(store, session, { at })
      assert.equal(await store.sessions.purge(at + DAY, 10), 0)
      await assertActive(store, moved, at + DAY)
      assert.equal(await store.sessions.purge(moved.current.idleEndsAt, 10), 1)
      await assertDead(store, moved, at + DAY)
    },
  ),
  law(
    'purge finds what has ended behind what was refreshed',
    'Nothing is kept for those who stay logged in.',
    async (store) => {
      const ann = await enrol(store)
      const until = (label: string, idleEndsAt: Instant) => ({
        current: { ...aGeneration(label), idleEndsAt },
      })
      const end = NOW + DAY
      const refreshed: Session[] = []
      for (const label of ['1', '2', '3', '4', '5'])
        refreshed.push(await rotate(store, await logIn(store, ann, label, until(label, end - 1))))
      const over: Session[] = []
      for (const label of ['6', '7', '8']) over.push(await logIn(store, ann, label, until(label, end)))
      const counts: number[] = []
      for (let call = 0; call < 3; call += 1) counts.push(await store.sessions.purge(end, 2))
      assert.deepEqual(counts, [2, 1, 0])
      for (const session of over) await assertDead(store, session, NOW)
      for (const session of refreshed) await assertActive(store, session, end)
    },
  ),
  law(
    'a thousand refreshes leave one session',
    'The store grows with the users, not with their requests.',
    async (store) => {
      const { session } = await loggedIn(store)
      let active = session
      for (let number = 0; number < 1_000; number += 1) active = await rotate(store, active, { grace: 0 })
      const at = NOW + 1_000 * SECOND
      await assertActive(store, active, at)
      assert.equal(active.current.number, 1_001)
      assert.equal(await store.sessions.find(session.current.keyDigest, at), undefined)
      assert.equal(await store.sessions.purge(active.endsAt, 2_000), 1)
    },
  ),
]
