import assert from 'node:assert/strict'
import { accountOf, addAccount, addLoggedIn, logIn } from '../arrangements.js'
import {
  actAs,
  actorPair,
  assertActive,
  assertInactive,
  impersonate,
  rotate,
  onePointLaw,
} from '../logins.js'
import { assertRace, inRounds, eachInOrder, race, sumOf } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { NOW, SECOND, sessionIdOf, UNKNOWN, aGeneration } from '../samples.js'

const law = lawOf('sessions')
const loginLaw = lawOf('sessions', addLoggedIn)
const accountLaw = lawOf('sessions', addAccount)
const SOON = NOW + SECOND

/** Contract tests for `endOne` and `endOthers`. */
export const sessionSomeEndLaws: readonly Law[] = [
  loginLaw('endOne ends only the given session')
    .protects('A user who logs out one device stays logged in on the other devices.')
    .check(async (store, { account, session }) => {
      const other = await rotate(store, await logIn(store, account, 'other'))
      assert.equal(await store.sessions.endOne(account.id, other.id), 'ended')
      await assertInactive(store, other, SOON)
      assert.equal(await store.sessions.endOne(account.id, other.id), 'unknown')
      await assertActive(store, session, SOON)
      assert.equal((await accountOf(store, account.id)).epoch, account.epoch)
    }),
  loginLaw("endOne returns unknown for another account's session and ends nothing")
    .protects('No user can log out another user, or learn which session ids exist.')
    .check(async (store, { session }) => {
      const bob = await addAccount(store, 'bob')
      for (const accountId of [bob.id, UNKNOWN])
        assert.equal(await store.sessions.endOne(accountId, session.id), 'unknown')
      assert.equal(await store.sessions.endOne(session.accountId, sessionIdOf('other')), 'unknown')
      await assertActive(store, session, SOON)
    }),
  law('endOne treats an impersonated session as a session of the account, not of the actor')
    .protects('A user can log out an administrator who impersonates this user, but no other administrator.')
    .check(async (store) => {
      const { actor, target, acting } = await impersonate(store)
      assert.equal(await store.sessions.endOne(actor.id, acting.id), 'unknown')
      await assertActive(store, acting, SOON)
      assert.equal(await store.sessions.endOne(target.id, acting.id), 'ended')
      await assertInactive(store, acting, SOON)
    }),
  accountLaw('16 concurrent endOne calls end the session once')
    .protects('The logout of a device is audited once.')
    .inRounds(async (store, round, account) => {
      const { id } = await logIn(store, account, `login ${round}`)
      await assertRace({ ended: 1, unknown: 15 }, () => store.sessions.endOne(account.id, id))
    }),
  law(
    'endOthers ends all sessions of the account except the given session, and no sessions of other accounts',
  )
    .protects('A user who has lost a device can log it out and stay logged in on the current device.')
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      const others = [await logIn(store, ann, 'a1'), await rotate(store, await logIn(store, ann, 'a2'))]
      const kept = await rotate(store, await logIn(store, ann, 'kept'))
      const foreign = await logIn(store, bob, 'b1')
      assert.equal(await store.sessions.endOthers(ann.id, kept.id, SOON), 2)
      for (const session of others) await assertInactive(store, session, SOON)
      for (const session of [kept, foreign]) await assertActive(store, session, SOON)
      assert.equal(await store.sessions.endOthers(ann.id, kept.id, SOON), 0)
      assert.equal(await store.sessions.endOthers(UNKNOWN, kept.id, SOON), 0)
      assert.equal((await accountOf(store, ann.id)).epoch, ann.epoch)
    }),
  law('endOthers ends sessions in which the account is the actor and impersonated sessions of the account')
    .protects('An administrator who logs out everywhere else does not stay logged in as another user.')
    .check(async (store) => {
      const { actor, target } = await actorPair(store)
      const root = await addAccount(store, 'root')
      const earlier = await actAs(store, target, actor, 'ended before')
      const ended = [await actAs(store, target, actor), await actAs(store, actor, root, 'acted in')]
      const kept = [
        await logIn(store, actor, 'here'),
        await logIn(store, target, 'of the target'),
        await actAs(store, target, root, 'of another actor'),
      ]
      assert.equal(await store.sessions.end(earlier.id), 'ended')
      assert.equal(await store.sessions.endOthers(actor.id, sessionIdOf('here'), SOON), 2)
      for (const session of ended) await assertInactive(store, session, SOON)
      for (const session of kept) await assertActive(store, session, SOON)
    }),
  accountLaw('endOthers counts only active sessions, but also ends inactive sessions')
    .protects('The number of ended sessions equals the number of other devices in the list.')
    .check(async (store, account) => {
      const over = [
        await logIn(store, account, 'idle', { current: { ...aGeneration('idle'), idleEndsAt: SOON } }),
        await logIn(store, account, 'absolute', { endsAt: SOON }),
      ]
      await logIn(store, account, 'active', { endsAt: SOON + 1 })
      assert.equal(await store.sessions.endOthers(account.id, sessionIdOf('kept'), SOON), 1)
      for (const session of over) await assertInactive(store, session, NOW)
    }),
  accountLaw('16 concurrent endOthers calls count each session once')
    .protects('The audit log shows the correct number of devices.')
    .check(async (store, account) => {
      const kept = await logIn(store, account, 'kept')
      await inRounds(async (round) => {
        const others = await eachInOrder([1, 2, 3], (device) =>
          logIn(store, account, `login ${round} ${device}`),
        )
        const counts = await race(() => store.sessions.endOthers(account.id, kept.id, SOON))
        assert.equal(sumOf(counts), 3)
        for (const session of others) await assertInactive(store, session, SOON)
        await assertActive(store, kept, SOON)
      })
    }),
  onePointLaw(
    'an effect of endOthers is visible',
    'A user who logs in again on a device stays logged in there.',
    (store, { id }) =>
      () =>
        store.sessions.endOthers(id, sessionIdOf('kept'), SOON),
    false,
  ),
]
