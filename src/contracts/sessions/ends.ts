import assert from 'node:assert/strict'
import type { Epoch } from '../../domain/identity/account.js'
import { accountOf, enrol, giveRole, logIn, issueResetToken, loggedIn } from '../arrangements.js'
import { actorAndTarget, assertDead, assertActive, rotate } from '../active-sessions.js'
import { race, releaseTogether } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import {
  aNewAccount,
  anActor,
  aConsumption,
  hashOf,
  NOW,
  SECOND,
  aGeneration,
  aRotation,
  DAY,
  sessionIdOf,
  UNKNOWN,
} from '../samples.js'
import { assertOnePoint, until } from './one-point.js'
import type { Session } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'

const law = lawOf('sessions')

/** How one session and all sessions of an account end, and how their rows go. */
export const sessionEndLaws: readonly Law[] = [
  law('endAllOf ends all sessions of the account and of no other')
    .protects('An operator can log an account out everywhere.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      const sessions = [await logIn(store, ann, 'a1'), await rotate(store, await logIn(store, ann, 'a2'))]
      const other = await logIn(store, bob, 'b1')
      assert.equal(await store.sessions.endAllOf(ann.id), 2)
      for (const session of sessions) await assertDead(store, session, NOW + SECOND)
      await assertActive(store, other, NOW)
      assert.equal(await store.sessions.endAllOf(ann.id), 0)
      assert.equal(await store.sessions.endAllOf(UNKNOWN), undefined)
    }),
  law('endAllOf counts the sessions of the account, with or without an actor, and not those in which it acts')
    .protects('An operator is told how many logins of this account there were.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      for (const label of ['acting 1', 'acting 2'])
        await logIn(store, target, label, { actor: anActor(await accountOf(store, actor.id)) })
      assert.equal(await store.sessions.endAllOf(target.id), 2)
      const own = await logIn(store, actor, 'own')
      const again = await accountOf(store, target.id)
      await logIn(store, again, 'acting again', { actor: anActor(actor) })
      assert.equal(await store.sessions.endAllOf(actor.id), 1)
      await assertDead(store, own, NOW + SECOND)
    }),
  law('endAllOf counts no session that was dead before, by its epoch or by that of its actor')
    .protects('An operator is told of logins that were good for something.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      await logIn(store, target, 'acting', { actor: anActor(actor) })
      assert.equal(await store.sessions.endAllOf(actor.id), 0)
      await logIn(store, { ...target, epoch: (target.epoch - 1) as Epoch }, 'of an older epoch')
      await logIn(store, target, 'own')
      assert.equal(await store.sessions.endAllOf(target.id), 1)
    }),
  law('endAllOf bumps the epoch by one and changes nothing else')
    .protects('Logging an account out everywhere takes neither password nor roles, and lifts no lock.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      const { email, createdAt } = aNewAccount('without a password')
      assert.equal((await store.accounts.insert({ email, createdAt })).kind, 'inserted')
      await giveRole(store, ann, 'admin')
      await store.accounts.setDisabled(bob.id, NOW + SECOND)
      const before = await store.accounts.page(undefined, 10)
      assert.deepEqual(
        before.map(({ epoch, disabledAt }) => [epoch, disabledAt]),
        [
          [1, undefined],
          [2, NOW + SECOND],
          [1, undefined],
        ],
      )
      for (const [index, { id, epoch }] of before.entries()) {
        assert.equal(await store.sessions.endAllOf(id), 0)
        const expected = before.map((one, place) => (place > index ? one : { ...one, epoch: one.epoch + 1 }))
        assert.deepEqual(await store.accounts.page(undefined, 10), expected)
        assert.equal((await accountOf(store, id)).epoch, epoch + 1)
      }
    }),
  law('endAllOf lets the account log in again')
    .protects('A user who knows the password is not locked out.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await store.sessions.endAllOf(id)
      await assertActive(store, await logIn(store, await accountOf(store, id)), NOW + SECOND)
    }),
  law('of 16 endAllOf at once each bumps the epoch')
    .protects('No end of the sessions that was ordered is lost.')
    .check(async (store) => {
      const { id } = await enrol(store)
      assert.deepEqual(new Set(await race(() => store.sessions.endAllOf(id))), new Set([0]))
      assert.equal((await accountOf(store, id)).epoch, 17)
    }),
  law('no login dies that began after an effect of endAllOf was seen')
    .protects('A user who was logged out and logs in again stays logged in.')
    .check((store) =>
      assertOnePoint(
        store,
        async ({ id }) =>
          () =>
            store.sessions.endAllOf(id),
      ),
    ),
  law('no login dies that began after an effect of setPassword was seen')
    .protects('A login with the new password stays active.')
    .check((store) =>
      assertOnePoint(
        store,
        async ({ id, epoch }) =>
          () =>
            store.accounts.setPassword(id, hashOf(`${epoch}`)),
      ),
    ),
  law('no login dies that began after an effect of changePassword was seen')
    .protects('Who changes the password and logs in with the new one stays logged in.')
    .check((store) =>
      assertOnePoint(store, async ({ id, epoch, passwordHash = hashOf('') }) => {
        const change = { id, expected: passwordHash, next: hashOf(`${epoch}`) }
        return () => store.accounts.changePassword(change)
      }),
    ),
  law('no login dies that began after an effect of a reset was seen')
    .protects('A login with the password of a reset stays active.')
    .check((store) =>
      assertOnePoint(store, async (account) => {
        const issued = await issueResetToken(store, account, `of epoch ${account.epoch}`)
        return () => store.accounts.consumeResetToken(aConsumption(account, issued))
      }),
    ),
  law('no login dies that began after a lock was lifted')
    .protects('An account that one operator enables is not logged out by the other.')
    .check((store) =>
      assertOnePoint(store, async (account) => async () => {
        const lift = async () => {
          await until(async () => (await accountOf(store, account.id)).disabledAt !== undefined)
          await store.accounts.setDisabled(account.id, undefined)
        }
        await releaseTogether<unknown>([() => store.accounts.setDisabled(account.id, NOW), lift])
      }),
    ),
  law('end ends this session and no other')
    .protects('Logging out logs out, on this device.')
    .check(async (store) => {
      const { account, session } = await loggedIn(store)
      const other = await logIn(store, account, 'other')
      const moved = await rotate(store, session)
      await assertActive(store, moved, NOW + SECOND)
      assert.equal(await store.sessions.end(session.id), 'ended')
      await assertDead(store, moved, NOW + 2 * SECOND)
      assert.deepEqual(await store.sessions.rotate(aRotation(moved)), { kind: 'unknown' })
      await assertActive(store, other, NOW + 2 * SECOND)
    }),
  law('ending a session that is not there is harmless')
    .protects('Logging out twice is no error.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      assert.equal(await store.sessions.end(sessionIdOf('other')), 'unknown')
      await assertActive(store, session, NOW)
      await store.sessions.end(session.id)
      assert.equal(await store.sessions.end(session.id), 'unknown')
    }),
  law('purge removes what is past one of its ends, for good')
    .protects('The store does not grow by what is not needed.')
    .check(async (store) => {
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
    }),
  law('purge stops at its limit')
    .protects('Cleaning up never stands in the way for long.')
    .check(async (store) => {
      const ann = await enrol(store)
      for (const label of ['1', '2', '3', '4', '5']) await logIn(store, ann, label)
      const counts: number[] = []
      for (let call = 0; call < 4; call += 1) counts.push(await store.sessions.purge(NOW + 30 * DAY, 2))
      assert.deepEqual(counts, [2, 2, 1, 0])
    }),
  law('purge goes by the ends of the active generation')
    .protects('A user who keeps refreshing stays logged in.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      const at = session.current.idleEndsAt - 1
      const moved = await rotate(store, session, { at })
      assert.equal(await store.sessions.purge(at + DAY, 10), 0)
      await assertActive(store, moved, at + DAY)
      assert.equal(await store.sessions.purge(moved.current.idleEndsAt, 10), 1)
      await assertDead(store, moved, at + DAY)
    }),
  law('purge finds what has ended behind what was refreshed')
    .protects('Nothing is kept for those who stay logged in.')
    .check(async (store) => {
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
    }),
  law('a thousand refreshes leave one session')
    .protects('The store grows with the users, not with their requests.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      let active = session
      for (let number = 0; number < 1_000; number += 1) active = await rotate(store, active, { grace: 0 })
      const at = NOW + 1_000 * SECOND
      await assertActive(store, active, at)
      assert.equal(active.current.number, 1_001)
      assert.equal(await store.sessions.find(session.current.keyDigest, at), undefined)
      assert.equal(await store.sessions.purge(active.endsAt, 2_000), 1)
    }),
]
