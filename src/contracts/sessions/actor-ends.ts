import assert from 'node:assert/strict'
import type { Account, AccountId } from '../../domain/identity/account.js'
import type { Session } from '../../domain/identity/session.js'
import type { Rotation } from '../../domain/identity/rotation.js'
import type { Store } from '../../ports/store.js'
import { accountOf, enrol, logIn } from '../arrangements.js'
import {
  actorAndTarget,
  assertDead,
  assertGone,
  assertActive,
  activeIds,
  rotate,
} from '../active-sessions.js'
import { inRounds, race, releaseTogether } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { anActor, aRotation, hashOf, NOW, SECOND } from '../samples.js'

const law = lawOf('sessions')
const SOON = NOW + 5 * SECOND

/** What ends a session in which another account acts as this one. */
export const sessionActorEndLaws: readonly Law[] = [
  law('another password of the actor ends the sessions in which it acts and no other')
    .protects('A thief of an administrator is thrown out of every account at once.')
    .check((store) => assertEndsActing(store, ({ id }) => store.accounts.setPassword(id, hashOf('new')))),
  law('changePassword of the actor ends the sessions in which it acts and no other')
    .protects('An administrator who fears a thief is rid of the thief in every account.')
    .check((store) => assertEndsActing(store, ({ id }) => changeOwnPassword(store, id))),
  law('disabling the actor ends the sessions in which it acts and no other')
    .protects('An administrator who is locked out is locked out of every account.')
    .check((store) => assertEndsActing(store, ({ id }) => store.accounts.setDisabled(id, NOW))),
  law('enabling the actor wakes no session in which it acted')
    .protects('An impersonation that was cut off does not come back with the account.')
    .check((store) =>
      assertEndsActing(store, async ({ id }) => {
        await store.accounts.setDisabled(id, NOW)
        await store.accounts.setDisabled(id, undefined)
      }),
    ),
  law('endAllOf of the actor ends the sessions in which it acts and no other')
    .protects('Logging an administrator out everywhere includes the accounts of others.')
    .check((store) => assertEndsActing(store, ({ id }) => store.sessions.endAllOf(id))),
  law('removing the actor ends the sessions in which it acts and no other')
    .protects('An account that is gone acts no more.')
    .check((store) => assertEndsActing(store, ({ id }) => store.accounts.remove(id))),
  law('what ends the sessions of the account ends those in which another acts as it')
    .protects('A new password or a lock closes the account to everybody.')
    .check(async (store) => {
      const actor = await enrol(store, 'actor')
      const own = await logIn(store, actor, 'own')
      const { accounts } = store
      const changes: readonly ((id: AccountId) => Promise<unknown>)[] = [
        (id) => accounts.setPassword(id, hashOf('new')),
        (id) => changeOwnPassword(store, id),
        (id) => accounts.setDisabled(id, NOW),
        (id) => store.sessions.endAllOf(id),
        (id) => accounts.remove(id),
      ]
      for (const [index, change] of changes.entries()) {
        const target = await enrol(store, `target ${index}`)
        const acting = await logIn(store, target, `acting ${index}`, { actor: anActor(actor) })
        await assertActive(store, acting, NOW)
        await change(target.id)
        await assertDead(store, acting, SOON)
        await assertActive(store, own, SOON)
      }
    }),
  law('refreshes that race a password change of the actor leave nothing active')
    .protects('A thief of an administrator cannot refresh across a new password.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      await inRounds(async (round) => {
        const acting = { actor: anActor(await accountOf(store, actor.id)) }
        const session = await rotate(store, await logIn(store, target, `acting ${round}`, acting))
        const refresh = (caller: number) => () => store.sessions.rotate(aRotation(session, {}, caller))
        const callers = Array.from({ length: 16 }, (_, caller) => refresh(caller))
        const change = async () => {
          await store.accounts.setPassword(actor.id, hashOf(`${round}`))
          return { kind: 'unknown' } as const
        }
        const calls: readonly (() => Promise<Rotation>)[] = callers.toSpliced(8, 0, change)
        const answers = await releaseTogether(calls)
        await assertGone(store, session, SOON)
        for (const answer of answers) if ('session' in answer) await assertGone(store, answer.session, SOON)
      })
    }),
  law('impersonations that race the removal of their actor leave nothing active')
    .protects('No account is left open to an administrator who is gone.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const opened: Session[] = []
      await race(async (caller) => {
        if (caller === 8) await store.accounts.remove(actor.id)
        else opened.push(await logIn(store, target, `acting ${caller}`, { actor: anActor(actor) }))
      })
      assert.equal(opened.length, 15)
      for (const session of opened) await assertGone(store, session, SOON)
    }),
]

/** By its owner. */
async function changeOwnPassword(store: Store, id: AccountId): Promise<void> {
  const { passwordHash: expected = hashOf('') } = await accountOf(store, id)
  assert.notEqual(await store.accounts.changePassword({ id, expected, next: hashOf('new') }), undefined)
}

/** Of the sessions of one account those in which the changed account acts end, and only those. */
async function assertEndsActing(store: Store, change: (actor: Account) => Promise<unknown>): Promise<void> {
  const { actor, target } = await actorAndTarget(store)
  const other = { actor: anActor(await enrol(store, 'other')) }
  const kept = [await logIn(store, target, 'own'), await logIn(store, target, 'by another', other)]
  const acting = { actor: anActor(actor) }
  const ended = [
    await logIn(store, target, 'acting', acting),
    await rotate(store, await logIn(store, target, 'moved', acting)),
  ]
  for (const session of [...kept, ...ended]) await assertActive(store, session, NOW + SECOND)
  await change(actor)
  for (const session of ended) await assertGone(store, session, SOON)
  for (const session of kept) await assertActive(store, session, SOON)
  assert.deepEqual(await activeIds(store, target, SOON), kept.map(({ id }) => id).sort())
}
