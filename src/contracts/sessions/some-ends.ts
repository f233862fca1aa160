import assert from 'node:assert/strict'
import { accountOf, enrol, loggedIn, logIn } from '../arrangements.js'
import { actAs, actorPair, assertActive, assertDead, impersonate, rotate } from '../active-sessions.js'
import { assertRace, inRounds, inTurn, race, sumOf } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { NOW, SECOND, sessionIdOf, UNKNOWN, aGeneration } from '../samples.js'
import { onePointLaw } from './one-point.js'

const law = lawOf('sessions')
const loginLaw = lawOf('sessions', loggedIn)
const accountLaw = lawOf('sessions', enrol)
const SOON = NOW + SECOND

/** The laws of `endOne` and `endOthers`. */
export const sessionSomeEndLaws: readonly Law[] = [
  loginLaw('endOne ends only the given session of the account')
    .protects('A user who logs one device out stays logged in on the others.')
    .check(async (store, { account, session }) => {
      const other = await rotate(store, await logIn(store, account, 'other'))
      assert.equal(await store.sessions.endOne(account.id, other.id), 'ended')
      await assertDead(store, other, SOON)
      assert.equal(await store.sessions.endOne(account.id, other.id), 'unknown')
      await assertActive(store, session, SOON)
      assert.equal((await accountOf(store, account.id)).epoch, account.epoch)
    }),
  loginLaw("endOne of another account's session returns unknown and ends nothing")
    .protects('No user can log out another user, or learn which session ids exist.')
    .check(async (store, { session }) => {
      const bob = await enrol(store, 'bob')
      for (const accountId of [bob.id, UNKNOWN])
        assert.equal(await store.sessions.endOne(accountId, session.id), 'unknown')
      assert.equal(await store.sessions.endOne(session.accountId, sessionIdOf('other')), 'unknown')
      await assertActive(store, session, SOON)
    }),
  law('endOne treats a session with an actor as a session of the account only')
    .protects('A user can log out an administrator who acts as this user, but not another administrator.')
    .check(async (store) => {
      const { actor, target, acting } = await impersonate(store)
      assert.equal(await store.sessions.endOne(actor.id, acting.id), 'unknown')
      await assertActive(store, acting, SOON)
      assert.equal(await store.sessions.endOne(target.id, acting.id), 'ended')
      await assertDead(store, acting, SOON)
    }),
  accountLaw('16 concurrent endOne calls end the session once')
    .protects('The logout of a device is audited once.')
    .inRounds(async (store, round, account) => {
      const { id } = await logIn(store, account, `login ${round}`)
      await assertRace({ ended: 1, unknown: 15 }, () => store.sessions.endOne(account.id, id))
    }),
  law('endOthers ends all sessions of the account except one, and none of another account')
    .protects('A user who has lost a device logs it out and stays logged in here.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      const others = [await logIn(store, ann, 'a1'), await rotate(store, await logIn(store, ann, 'a2'))]
      const kept = await rotate(store, await logIn(store, ann, 'kept'))
      const foreign = await logIn(store, bob, 'b1')
      assert.equal(await store.sessions.endOthers(ann.id, kept.id, SOON), 2)
      for (const session of others) await assertDead(store, session, SOON)
      for (const session of [kept, foreign]) await assertActive(store, session, SOON)
      assert.equal(await store.sessions.endOthers(ann.id, kept.id, SOON), 0)
      assert.equal(await store.sessions.endOthers(UNKNOWN, kept.id, SOON), 0)
      assert.equal((await accountOf(store, ann.id)).epoch, ann.epoch)
    }),
  law('endOthers ends sessions in which the account acts, and sessions of the account with an actor')
    .protects('An administrator who logs out everywhere else does not stay logged in as another user.')
    .check(async (store) => {
      const { actor, target } = await actorPair(store)
      const root = await enrol(store, 'root')
      const earlier = await actAs(store, target, actor, 'ended before')
      const ended = [await actAs(store, target, actor), await actAs(store, actor, root, 'acted in')]
      const kept = [
        await logIn(store, actor, 'here'),
        await logIn(store, target, 'of the target'),
        await actAs(store, target, root, 'of another actor'),
      ]
      assert.equal(await store.sessions.end(earlier.id), 'ended')
      assert.equal(await store.sessions.endOthers(actor.id, sessionIdOf('here'), SOON), 2)
      for (const session of ended) await assertDead(store, session, SOON)
      for (const session of kept) await assertActive(store, session, SOON)
    }),
  accountLaw('endOthers counts only sessions that are still active, and ends the others too')
    .protects('The number of devices equals the number in the list.')
    .check(async (store, account) => {
      const over = [
        await logIn(store, account, 'idle', { current: { ...aGeneration('idle'), idleEndsAt: SOON } }),
        await logIn(store, account, 'absolute', { endsAt: SOON }),
      ]
      await logIn(store, account, 'active', { endsAt: SOON + 1 })
      assert.equal(await store.sessions.endOthers(account.id, sessionIdOf('kept'), SOON), 1)
      for (const session of over) await assertDead(store, session, NOW)
    }),
  accountLaw('16 concurrent endOthers calls count each session once')
    .protects('The audit log shows the true number of devices.')
    .check(async (store, account) => {
      const kept = await logIn(store, account, 'kept')
      await inRounds(async (round) => {
        const others = await inTurn([1, 2, 3], (device) => logIn(store, account, `login ${round} ${device}`))
        const counts = await race(() => store.sessions.endOthers(account.id, kept.id, SOON))
        assert.equal(sumOf(counts), 3)
        for (const session of others) await assertDead(store, session, SOON)
        await assertActive(store, kept, SOON)
      })
    }),
  onePointLaw(
    'an effect of endOthers was visible',
    'A user who logs in again on a device stays logged in there.',
    (store, { id }) =>
      () =>
        store.sessions.endOthers(id, sessionIdOf('kept'), SOON),
    false,
  ),
]
