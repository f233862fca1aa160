import assert from 'node:assert/strict'
import type { Session } from '../../domain/identity/session.js'
import { accountOf, enrol, loggedIn, logIn } from '../arrangements.js'
import { actorAndTarget, assertActive, assertDead, assertGone, rotate } from '../active-sessions.js'
import { inRounds, race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aGeneration, anActor, NOW, SECOND, sessionIdOf, UNKNOWN } from '../samples.js'
import { assertOnePoint } from './one-point.js'

const law = lawOf('sessions')
const SOON = NOW + SECOND

/** How an account ends one of its sessions, or all but one. */
export const sessionSomeEndLaws: readonly Law[] = [
  law('endOne ends this session of the account and no other')
    .protects('A user who logs one device out stays logged in on the others.')
    .check(async (store) => {
      const { account, session } = await loggedIn(store)
      const other = await rotate(store, await logIn(store, account, 'other'))
      assert.equal(await store.sessions.endOne(account.id, other.id), 'ended')
      await assertGone(store, other, SOON)
      assert.equal(await store.sessions.endOne(account.id, other.id), 'unknown')
      await assertActive(store, session, SOON)
      assert.equal((await accountOf(store, account.id)).epoch, account.epoch)
    }),
  law('endOne of a session of another account is unknown, as of none, and ends nothing')
    .protects('No user logs out another one, nor learns which ids there are.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      const bob = await enrol(store, 'bob')
      for (const accountId of [bob.id, UNKNOWN])
        assert.equal(await store.sessions.endOne(accountId, session.id), 'unknown')
      assert.equal(await store.sessions.endOne(session.accountId, sessionIdOf('other')), 'unknown')
      await assertActive(store, session, SOON)
    }),
  law('endOne takes a session with an actor for one of the account, and not of the actor')
    .protects('A user can log out an administrator who acts as this user, and no administrator another one.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const acting = await logIn(store, target, 'acting', { actor: anActor(actor) })
      assert.equal(await store.sessions.endOne(actor.id, acting.id), 'unknown')
      await assertActive(store, acting, SOON)
      assert.equal(await store.sessions.endOne(target.id, acting.id), 'ended')
      await assertGone(store, acting, SOON)
    }),
  law('of 16 endOne at once exactly one ends the session')
    .protects('It is in the audit log once that a device was logged out.')
    .check(async (store) => {
      const account = await enrol(store)
      await inRounds(async (round) => {
        const { id } = await logIn(store, account, `login ${round}`)
        const answers = await race(() => store.sessions.endOne(account.id, id))
        assert.deepEqual(tally(answers), { ended: 1, unknown: 15 })
      })
    }),
  law('endOthers ends all sessions of the account but one, and none of another')
    .protects('A user who has lost a device logs it out, and stays logged in here.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      const others = [await logIn(store, ann, 'a1'), await rotate(store, await logIn(store, ann, 'a2'))]
      const kept = await rotate(store, await logIn(store, ann, 'kept'))
      const foreign = await logIn(store, bob, 'b1')
      assert.equal(await store.sessions.endOthers(ann.id, kept.id, SOON), 2)
      for (const session of others) await assertGone(store, session, SOON)
      for (const session of [kept, foreign]) await assertActive(store, session, SOON)
      assert.equal(await store.sessions.endOthers(ann.id, kept.id, SOON), 0)
      assert.equal(await store.sessions.endOthers(UNKNOWN, kept.id, SOON), 0)
      assert.equal((await accountOf(store, ann.id)).epoch, ann.epoch)
    }),
  law('endOthers ends the sessions in which the account acts, and those of its own with an actor')
    .protects('An administrator who logs out everywhere else does not go on as another user somewhere.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const root = await enrol(store, 'root')
      const earlier = await logIn(store, target, 'ended before', { actor: anActor(actor) })
      const ended = [
        await logIn(store, target, 'acting', { actor: anActor(actor) }),
        await logIn(store, actor, 'acted in', { actor: anActor(root) }),
      ]
      const kept = [
        await logIn(store, actor, 'here'),
        await logIn(store, target, 'of the target'),
        await logIn(store, target, 'of another actor', { actor: anActor(root) }),
      ]
      assert.equal(await store.sessions.end(earlier.id), 'ended')
      assert.equal(await store.sessions.endOthers(actor.id, sessionIdOf('here'), SOON), 2)
      for (const session of ended) await assertGone(store, session, SOON)
      for (const session of kept) await assertActive(store, session, SOON)
    }),
  law('endOthers counts the sessions that are active at its time, and ends the others too')
    .protects('A user is told of as many devices as the list has shown.')
    .check(async (store) => {
      const account = await enrol(store)
      const over = [
        await logIn(store, account, 'idle', { current: { ...aGeneration('idle'), idleEndsAt: SOON } }),
        await logIn(store, account, 'absolute', { endsAt: SOON }),
      ]
      await logIn(store, account, 'active', { endsAt: SOON + 1 })
      assert.equal(await store.sessions.endOthers(account.id, sessionIdOf('kept'), SOON), 1)
      for (const session of over) await assertDead(store, session, NOW)
    }),
  law('of 16 endOthers at once each session is counted by one')
    .protects('The audit log tells of as many devices as there were.')
    .check(async (store) => {
      const account = await enrol(store)
      const kept = await logIn(store, account, 'kept')
      await inRounds(async (round) => {
        const others: Session[] = []
        for (const device of [1, 2, 3]) others.push(await logIn(store, account, `login ${round} ${device}`))
        const counts = await race(() => store.sessions.endOthers(account.id, kept.id, SOON))
        const sum = counts.reduce((sum, count) => sum + count, 0)
        assert.equal(sum, 3)
        for (const session of others) await assertDead(store, session, SOON)
        await assertActive(store, kept, SOON)
      })
    }),
  law('no login dies that began after an effect of endOthers was seen')
    .protects('A user who logs in on a device again stays logged in on it.')
    .check((store) =>
      assertOnePoint(
        store,
        async ({ id }) =>
          () =>
            store.sessions.endOthers(id, sessionIdOf('kept'), SOON),
        { bumpsEpoch: false },
      ),
    ),
]
