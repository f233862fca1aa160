import assert from 'node:assert/strict'
import type { AccountId, Epoch } from '../../domain/identity/account.js'
import {
  accountOf,
  actorAndTarget,
  assertDead,
  assertActive,
  enrol,
  giveRole,
  logIn,
  rotate,
  issueResetToken,
} from '../arrangements.js'
import { race, releaseTogether } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aNewAccount, anActor, aConsumption, hashOf, NOW, SECOND } from '../samples.js'
import { assertOnePoint, until } from './one-point.js'

const law = lawOf('sessions')
const UNKNOWN = 4_000_000_001 as AccountId

/** How all sessions of an account are ended, at one point in time. */
export const sessionEndAllLaws: readonly Law[] = [
  law(
    'endAllOf ends all sessions of the account and of no other',
    'An operator can log an account out everywhere.',
    async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      const sessions = [await logIn(store, ann, 'a1'), await rotate(store, await logIn(store, ann, 'a2'))]
      const other = await logIn(store, bob, 'b1')
      assert.equal(await store.sessions.endAllOf(ann.id), 2)
      for (const session of sessions) await assertDead(store, session, NOW + SECOND)
      await assertActive(store, other, NOW)
      assert.equal(await store.sessions.endAllOf(ann.id), 0)
      assert.equal(await store.sessions.endAllOf(UNKNOWN), undefined)
    },
  ),
  law(
    'endAllOf counts the sessions of the account, with or without an actor, and not those in which it acts',
    'An operator is told how many logins of this account there were.',
    async (store) => {
      const { actor, target } = await actorAndTarget(store)
      for (const label of ['acting 1', 'acting 2']) {
        await logIn(store, target, label, { actor: anActor(await accountOf(store, actor.id)) })
      }
      assert.equal(await store.sessions.endAllOf(target.id), 2)
      const own = await logIn(store, actor, 'own')
      const again = await accountOf(store, target.id)
      await logIn(store, again, 'acting again', { actor: anActor(actor) })
      assert.equal(await store.sessions.endAllOf(actor.id), 1)
      await assertDead(store, own, NOW + SECOND)
    },
  ),
  law(
    'endAllOf counts no session that was dead before, by its epoch or by that of its actor',
    'An operator is told of logins that were good for something.',
    async (store) => {
      const { actor, target } = await actorAndTarget(store)
      await logIn(store, target, 'acting', { actor: anActor(actor) })
      assert.equal(await store.sessions.endAllOf(actor.id), 0)
      await logIn(store, { ...target, epoch: (target.epoch - 1) as Epoch }, 'of an older epoch')
      await logIn(store, target, 'own')
      assert.equal(await store.sessions.endAllOf(target.id), 1)
    },
  ),
  law(
    'endAllOf bumps the epoch by one and changes nothing else',
    'Logging an account out everywhere takes neither password nor roles, and lifts no lock.',
    async (store) => {
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
    },
  ),
  law(
    'endAllOf lets the account log in again',
    'A user who knows the password is not locked out.',
    async (store) => {
      const { id } = await enrol(store)
      await store.sessions.endAllOf(id)
      await assertActive(store, await logIn(store, await accountOf(store, id)), NOW + SECOND)
    },
  ),
  law(
    'of 16 endAllOf at once each bumps the epoch',
    'No end of the sessions that was ordered is lost.',
    async (store) => {
      const { id } = await enrol(store)
      assert.deepEqual(new Set(await race(() => store.sessions.endAllOf(id))), new Set([0]))
      assert.equal((await accountOf(store, id)).epoch, 17)
    },
  ),
  law(
    'no login dies that began after an effect of endAllOf was seen',
    'A user who was logged out and logs in again stays logged in.',
    async (store) =>
      await assertOnePoint(
        store,
        async ({ id }) =>
          () =>
            store.sessions.endAllOf(id),
      ),
  ),
  law(
    'no login dies that began after an effect of setPassword was seen',
    'A login with the new password stays active.',
    async (store) =>
      await assertOnePoint(
        store,
        async ({ id, epoch }) =>
          () =>
            store.accounts.setPassword(id, hashOf(`${epoch}`)),
      ),
  ),
  law(
    'no login dies that began after an effect of changePassword was seen',
    'Who changes the password and logs in with the new one stays logged in.',
    async (store) =>
      await assertOnePoint(store, async ({ id, epoch, passwordHash = hashOf('') }) => {
        const change = { id, expected: passwordHash, next: hashOf(`${epoch}`) }
        return () => store.accounts.changePassword(change)
      }),
  ),
  law(
    'no login dies that began after an effect of a reset was seen',
    'A login with the password of a reset stays active.',
    async (store) =>
      await assertOnePoint(store, async (account) => {
        const issued = await issueResetToken(store, account, `of epoch ${account.epoch}`)
        return () => store.accounts.consumeResetToken(aConsumption(account, issued))
      }),
  ),
  law(
    'no login dies that began after a lock was lifted',
    'An account that one operator enables is not logged out by the other.',
    async (store) =>
      await assertOnePoint(store, async (account) => async () => {
        const lift = async () => {
          await until(async () => (await accountOf(store, account.id)).disabledAt !== undefined)
          await store.accounts.setDisabled(account.id, undefined)
        }
        await releaseTogether<unknown>([() => store.accounts.setDisabled(account.id, NOW), lift])
      }),
  ),
]
