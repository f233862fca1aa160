import assert from 'node:assert/strict'
import type { Epoch } from '../../domain/identity/account.js'
import type { Session } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import {
  accountOf,
  addAccount,
  giveRole,
  addLoggedIn,
  logIn,
  withoutHash,
  accountAfter,
  ENDINGS,
  type Ending,
} from '../arrangements.js'
import { eachInOrder, numbersBelow, race, startTogether, sumOf, lawOf, type Law } from '../law.js'
import {
  actAs,
  activeIds,
  actorPair,
  assertActive,
  assertInactive,
  rotate,
  effectOf,
  onePointLaw,
} from '../logins.js'
import { NOW, SECOND, DAY, sessionIdOf, UNKNOWN, aGeneration, aRotation } from '../samples.js'
import { successors } from './refreshes.js'

const law = lawOf('sessions')
const accountLaw = lawOf('sessions', addAccount)
const loginLaw = lawOf('sessions', addLoggedIn)
const SOON = NOW + 5 * SECOND

/**
 * Contract tests for calls that end one session or all sessions of an account, including the sessions in which the account is the actor, and
 * for purging sessions.
 */
export const sessionEndLaws: readonly Law[] = [
  law(
    "endAllOf counts the account's own sessions and those in which it is impersonated, but not those in which it impersonates another account",
  )
    .protects('An operator learns how many logins the account had.')
    .check(async (store) => {
      const { actor, target } = await actorPair(store)
      for (const label of ['acting 1', 'acting 2']) await actAs(store, target, actor, label)
      for (const count of [2, 0]) assert.equal(await store.sessions.endAllOf(target.id), count)
      assert.equal(await store.sessions.endAllOf(UNKNOWN), undefined)
      const own = await logIn(store, actor, 'own')
      await actAs(store, await accountOf(store, target.id), actor, 'acting again')
      assert.equal(await store.sessions.endAllOf(actor.id), 1)
      await assertInactive(store, own, NOW + SECOND)
    }),
  law('endAllOf does not count sessions that were already ended by an epoch change')
    .protects('An operator learns the number of logins that were still active.')
    .check(async (store) => {
      const { actor, target } = await actorPair(store)
      await actAs(store, target, actor)
      assert.equal(await store.sessions.endAllOf(actor.id), 0)
      await logIn(store, { ...target, epoch: (target.epoch - 1) as Epoch }, 'older epoch')
      await logIn(store, target, 'own')
      assert.equal(await store.sessions.endAllOf(target.id), 1)
    }),
  law('endAllOf increases the epoch by one and changes nothing else')
    .protects('Logging an account out everywhere does not change its password or roles, or enable it.')
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      await withoutHash(store, 'without a password')
      await giveRole(store, ann, 'admin')
      await store.accounts.setDisabled(bob.id, NOW + SECOND)
      const before = await store.accounts.page(undefined, 10)
      assert.equal(before.length, 3)
      for (const [index, { id }] of before.entries()) {
        assert.equal(await store.sessions.endAllOf(id), 0)
        const expected = before.map((one, place) => (place > index ? one : { ...one, epoch: one.epoch + 1 }))
        assert.deepEqual(await store.accounts.page(undefined, 10), expected)
      }
    }),
  accountLaw('each of 16 concurrent endAllOf calls increases the epoch')
    .protects('No request to end the sessions is lost.')
    .check(async (store, { id }) => {
      assert.deepEqual(new Set(await race(() => store.sessions.endAllOf(id))), new Set([0]))
      assert.equal((await accountOf(store, id)).epoch, 17)
    }),
  onePointLaw(
    'the account is enabled',
    "A user who logs in after one operator enabled the account is not logged out by another operator's call.",
    (store, { id }) => {
      const disabling = effectOf(() => store.accounts.setDisabled(id, NOW))
      const lift = async () => {
        await disabling.seen(async () => (await accountOf(store, id)).disabledAt !== undefined)
        await store.accounts.setDisabled(id, undefined)
      }
      return () => startTogether<unknown>([disabling.call, lift])
    },
  ),
  loginLaw('end ends only the given session, and a second call returns unknown')
    .protects('A logout affects only this device.')
    .check(async (store, { account, session }) => {
      const other = await logIn(store, account, 'other')
      const moved = await rotate(store, session)
      await assertActive(store, moved, NOW + SECOND)
      for (const outcome of ['ended', 'unknown']) assert.equal(await store.sessions.end(session.id), outcome)
      await assertInactive(store, moved, NOW + 2 * SECOND)
      await assertActive(store, other, NOW + 2 * SECOND)
    }),
  accountLaw('purge removes exactly the sessions that have ended')
    .protects('The store does not keep expired data.')
    .check(async (store, ann) => {
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
      for (const session of over) await assertInactive(store, session, NOW)
      await assertActive(store, kept, NOW)
      assert.equal(await store.sessions.endAllOf(ann.id), 1, 'the sessions are deleted')
    }),
  accountLaw('purge stops at its limit and removes the oldest sessions first')
    .protects(
      'Purging never blocks the store for long, and removes sessions in the order in which they ended.',
    )
    .check(async (store, ann) => {
      for (const label of [3, 1, 5, 2, 4])
        await logIn(store, ann, `${label}`, { endsAt: NOW + label * SECOND })
      for (const kept of [[3, 4, 5], [5], []]) {
        const before = (await activeIds(store, ann, NOW)).length
        assert.equal(await store.sessions.purge(NOW + DAY, 2), before - kept.length)
        assert.deepEqual(
          await activeIds(store, ann, NOW),
          kept.map((label) => sessionIdOf(`${label}`)).sort(),
        )
      }
      assert.equal(await store.sessions.purge(NOW + DAY, 2), 0)
    }),
  accountLaw('16 concurrent purges count each session once')
    .protects('The reported number of removed records is correct.')
    .inRounds(async (store, round, ann) => {
      for (const label of numbersBelow(5)) await logIn(store, ann, `${round} ${label}`, { endsAt: NOW + DAY })
      assert.equal(sumOf(await race(() => store.sessions.purge(NOW + DAY, 10))), 5)
    }),
  loginLaw('purge uses the expiry of the current generation')
    .protects('A user who keeps refreshing stays logged in.')
    .check(async (store, { session }) => {
      const at = session.current.idleEndsAt - 1
      const moved = await rotate(store, session, { at })
      assert.equal(await store.sessions.purge(at + DAY, 10), 0)
      await assertActive(store, moved, at + DAY)
      assert.equal(await store.sessions.purge(moved.current.idleEndsAt, 10), 1)
      await assertInactive(store, moved, at + DAY)
    }),
  accountLaw('purge finds ended sessions even if they are stored after refreshed sessions')
    .protects('Sessions of active users do not prevent the removal of ended sessions.')
    .check(async (store, ann) => {
      const end = NOW + DAY
      const open = (label: string, idleEndsAt: Instant) =>
        logIn(store, ann, label, { current: { ...aGeneration(label), idleEndsAt } })
      const refreshed = await eachInOrder(
        ['1', '2', '3', '4', '5'],
        async (label) => await rotate(store, await open(label, end - 1)),
      )
      const over = await eachInOrder(['6', '7', '8'], (label) => open(label, end))
      const counts = await eachInOrder([2, 2, 2], (limit) => store.sessions.purge(end, limit))
      assert.deepEqual(counts, [2, 1, 0])
      for (const session of over) await assertInactive(store, session, NOW)
      for (const session of refreshed) await assertActive(store, session, end)
    }),
  loginLaw('the store still contains one session after a thousand refreshes')
    .protects('The store grows with the number of sessions, not with the number of refreshes.')
    .check(async (store, { session }) => {
      let active = session
      for (let number = 0; number < 1_000; number += 1) active = await rotate(store, active, { grace: 0 })
      const at = NOW + 1_000 * SECOND
      await assertActive(store, active, at)
      assert.equal(active.current.number, 1_001)
      assert.equal(await store.sessions.find(session.current.keyDigest, at), undefined)
      assert.equal(await store.sessions.purge(active.endsAt, 2_000), 1)
    }),
  ...ENDINGS.map(endLaw),
  ...ENDINGS.map(raceLaw),
  // No login can start after the account is disabled or removed; a separate law covers enabling an account.
  ...ENDINGS.filter(({ name, locksOut }) => !locksOut && name !== 'disabling and enabling').map(
    ({ name, end }) =>
      onePointLaw(
        `an effect of ${name} is visible`,
        'A user who logs in again, after a logout or with a new password, stays logged in.',
        (store, account) => () => end(store, account),
      ),
  ),
]

function endLaw(ending: Ending): Law {
  return accountLaw(
    `${ending.name} ends exactly the sessions of the account and those in which it impersonates another account`,
  )
    .protects('A thief is logged out everywhere, and can no longer impersonate other accounts.')
    .check(async (store, ann) => {
      const [bob, eve] = [await addAccount(store, 'bob'), await addAccount(store, 'eve')]
      const kept = [await logIn(store, bob, 'own'), await actAs(store, bob, eve, 'by another')]
      const ended = [
        ...[await logIn(store, ann, 'first'), await rotate(store, await logIn(store, ann, 'second'))],
        ...[await actAs(store, ann, eve, 'acted on'), await actAs(store, bob, ann, 'acting')],
        await rotate(store, await actAs(store, bob, ann, 'acting again')),
      ]
      for (const session of [...kept, ...ended]) await assertActive(store, session, NOW + SECOND)
      await ending.end(store, ann)
      for (const session of ended) await assertInactive(store, session, SOON)
      for (const session of kept) await assertActive(store, session, SOON)
      const after = await accountAfter(store, ann, ending)
      if (after) await assertActive(store, await logIn(store, after, 'next'), SOON)
    })
}

function raceLaw({ name, end }: Ending): Law {
  return accountLaw(`logins and refreshes that race ${name} leave no session active`)
    .protects(
      'No thief stays logged in after the password is changed, or the account is disabled or removed.',
    )
    .inRounds(async (store, round, ann) => {
      const bob = await addAccount(store, `bob ${round}`)
      const own = await rotate(store, await logIn(store, ann, `own ${round}`))
      const acting = await rotate(store, await actAs(store, bob, ann, `acting ${round}`))
      const late: Session[] = []
      const refreshes = (caller: number) =>
        [own, acting].map((one) => () => store.sessions.rotate(aRotation(one, {}, caller)))
      const answers = await startTogether<unknown>([
        async () => late.push(await logIn(store, ann, `late ${round}`)),
        ...refreshes(1),
        () => end(store, ann),
        ...refreshes(2),
        async () => late.push(await actAs(store, bob, ann, `late acting ${round}`)),
      ])
      for (const session of [own, acting, ...late, ...successors(answers)])
        await assertInactive(store, session, SOON)
    })
}
