import assert from 'node:assert/strict'
import type { Account, AccountId } from '../../domain/identity/account.js'
import type { Session } from '../../domain/identity/session.js'
import type { Store } from '../../ports/store.js'
import { accountOf, enrol, logIn } from '../arrangements.js'
import { actAs, activeIds, actorPair, assertActive, assertGone, rotate } from '../active-sessions.js'
import { inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aRotation, hashOf, NOW, SECOND } from '../samples.js'

const law = lawOf('sessions')
const SOON = NOW + 5 * SECOND

/** Ending the sessions in which one account acts as another. */
export const sessionActorEndLaws: readonly Law[] = [
  law('setPassword of the actor ends exactly the sessions in which it acts')
    .protects('A password change logs out a thief of an administrator in every account.')
    .check((store) => assertEndsActing(store, ({ id }) => store.accounts.setPassword(id, hashOf('new')))),
  law('changePassword of the actor ends exactly the sessions in which it acts')
    .protects('An administrator who fears a thief logs the thief out in every account.')
    .check((store) => assertEndsActing(store, ({ id }) => changeOwnPassword(store, id))),
  law('disabling the actor ends exactly the sessions in which it acts')
    .protects('A disabled administrator is locked out of every account.')
    .check((store) => assertEndsActing(store, ({ id }) => store.accounts.setDisabled(id, NOW))),
  law('enabling the actor revives no session in which it acted')
    .protects('An interrupted impersonation does not come back with the account.')
    .check((store) =>
      assertEndsActing(store, async ({ id }) => {
        await store.accounts.setDisabled(id, NOW)
        await store.accounts.setDisabled(id, undefined)
      }),
    ),
  law('endAllOf of the actor ends exactly the sessions in which it acts')
    .protects('Logging an administrator out everywhere includes the accounts of others.')
    .check((store) => assertEndsActing(store, ({ id }) => store.sessions.endAllOf(id))),
  law('removing the actor ends exactly the sessions in which it acts')
    .protects('A removed account acts no more.')
    .check((store) => assertEndsActing(store, ({ id }) => store.accounts.remove(id))),
  law('every call that ends the sessions of an account ends those with an actor too')
    .protects('A new password or a lock closes the account to everyone.')
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
        const acting = await actAs(store, target, actor, `acting ${index}`)
        await assertActive(store, acting, NOW)
        await change(target.id)
        await assertGone(store, acting, SOON)
        await assertActive(store, own, SOON)
      }
    }),
  law('refreshes that race a password change of the actor leave nothing active')
    .protects('A thief of an administrator cannot refresh across a new password.')
    .check(async (store) => {
      const { actor, target } = await actorPair(store)
      await inRounds(async (round) => {
        const current = await accountOf(store, actor.id)
        const session = await rotate(store, await actAs(store, target, current, `acting ${round}`))
        const answers = await race(async (caller) => {
          if (caller !== 8) return await store.sessions.rotate(aRotation(session, {}, caller))
          await store.accounts.setPassword(actor.id, hashOf(`${round}`))
          return undefined
        })
        await assertGone(store, session, SOON)
        for (const answer of answers)
          if (answer && 'session' in answer) await assertGone(store, answer.session, SOON)
      })
    }),
  law('impersonations that race the removal of their actor leave nothing active')
    .protects('No account stays open to a removed administrator.')
    .check(async (store) => {
      const { actor, target } = await actorPair(store)
      const opened: Session[] = []
      await race(async (caller) => {
        if (caller === 8) await store.accounts.remove(actor.id)
        else opened.push(await actAs(store, target, actor, `acting ${caller}`))
      })
      assert.equal(opened.length, 15)
      for (const session of opened) await assertGone(store, session, SOON)
    }),
]

async function changeOwnPassword(store: Store, id: AccountId): Promise<void> {
  const { passwordHash: expected = hashOf('') } = await accountOf(store, id)
  assert.notEqual(await store.accounts.changePassword({ id, expected, next: hashOf('new') }), undefined)
}

/** The change ends exactly the sessions of the target in which the changed account acts. */
async function assertEndsActing(store: Store, change: (actor: Account) => Promise<unknown>): Promise<void> {
  const { actor, target } = await actorPair(store)
  const other = await enrol(store, 'other')
  const kept = [await logIn(store, target, 'own'), await actAs(store, target, other, 'by another')]
  const ended = [
    await actAs(store, target, actor),
    await rotate(store, await actAs(store, target, actor, 'moved')),
  ]
  for (const session of [...kept, ...ended]) await assertActive(store, session, NOW + SECOND)
  await change(actor)
  for (const session of ended) await assertGone(store, session, SOON)
  for (const session of kept) await assertActive(store, session, SOON)
  assert.deepEqual(await activeIds(store, target, SOON), kept.map(({ id }) => id).sort())
}
