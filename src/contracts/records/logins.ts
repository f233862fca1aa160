import assert from 'node:assert/strict'
import {
  assertInForce,
  assertRevoked,
  enrol,
  logIn,
  pairsOf,
  rotateLogin,
  statelessLogin,
} from '../arrangements.js'
import { lawOf, type Law } from '../law.js'
import { aLoginRotation, anActor, DAY, NOW, SECOND } from '../samples.js'
import { recordsOf, takeAwayAndPutAgain } from './arrangements.js'

const law = lawOf('records')
const SOON = NOW + 2 * SECOND

/** What becomes of logins in a copy, and of sessions whose account is gone. */
export const loginRecordLaws: readonly Law[] = [
  law(
    'a revocation that was put holds until the same end',
    'After a copy no ended login is good again.',
    async (store) => {
      const ann = await enrol(store)
      const [login, other] = [statelessLogin(ann, 'revoked'), statelessLogin(ann, 'other')]
      await store.revocations.revoke(login.sessionId, SOON)
      await takeAwayAndPutAgain(recordsOf(store))
      await assertRevoked(store, login, SOON - 1)
      await assertInForce(store, login, SOON)
      await assertInForce(store, other, NOW)
      assert.equal(await store.revocations.purge(SOON - 1, 10), 0)
      assert.equal(await store.revocations.purge(SOON, 10), 1)
    },
  ),
  law(
    'a login that was put goes on from its current pair, and a spent one is still a replay',
    'After a copy no user is logged out by it, and no thief is let in.',
    async (store) => {
      const ann = await enrol(store)
      const [login, other] = [statelessLogin(ann, 'refreshed'), statelessLogin(ann, 'spent')]
      const { current } = await rotateLogin(store, login)
      await rotateLogin(store, other)
      await takeAwayAndPutAgain(recordsOf(store))
      await assertInForce(store, login, SOON)
      assert.deepEqual(
        pairsOf(await store.revocations.rotate(aLoginRotation(login, {}, 1)), 'superseded').current,
        current,
      )
      await rotateLogin(store, login, { from: current.pairId, at: SOON })
      const late = aLoginRotation(other, { at: NOW + DAY }, 1)
      assert.deepEqual(await store.revocations.rotate(late), { kind: 'replayed' })
      await assertRevoked(store, other, NOW + DAY)
      assert.equal(await store.revocations.purge(late.until - 1, 10), 0)
      assert.equal(await store.revocations.purge(late.until, 10), 2)
    },
  ),
  law(
    'of an account that was removed no session is kept, nor one in which it acted',
    'A deleted account leaves neither address nor email in what is kept.',
    async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      const other = await logIn(store, bob, 'other')
      await logIn(store, ann, 'own')
      await logIn(store, bob, 'acted in', { actor: anActor(ann) })
      await logIn(store, ann, 'acted on', { actor: anActor(bob) })
      await store.accounts.remove(ann.id)
      assert.deepEqual(await recordsOf(store).page('session', undefined, 10), [other])
    },
  ),
]
