import assert from 'node:assert/strict'
import type { RoleKey } from '../../domain/access/role.js'
import type { Epoch } from '../../domain/identity/account.js'
import {
  accountOf,
  actorAndTarget,
  assertDead,
  enrol,
  giveFactor,
  giveRole,
  logIn,
  accountWithReset,
} from '../arrangements.js'
import { lawOf, type Law } from '../law.js'
import { recordsOf, takeAwayAndPutAgain } from './arrangements.js'
import { anActor, aConsumption, aSession, NOW, recoveryDigestOf, SECOND, stepOf } from '../samples.js'

const law = lawOf('records')
const SOON = NOW + 2 * SECOND

/** What becomes of reset tokens and of actors in a copy. */
export const accountRecordLaws: readonly Law[] = [
  law(
    'a reset token and a session with an actor that were put are good as before',
    'After a copy a link that was mailed works, and an administrator who acts as another account is not taken for it.',
    async (store) => {
      const { account: ann, issued } = await accountWithReset(store, 'ann')
      const acting = await logIn(store, ann, 'acting', { actor: anActor(await enrol(store, 'bob')) })
      await takeAwayAndPutAgain(recordsOf(store))
      const found = await store.sessions.find(acting.current.keyDigest, SOON)
      assert.deepEqual(found, { session: acting, account: ann, actorRoles: [] })
      assert.equal(await store.accounts.consumeResetToken(aConsumption(ann, issued)), ann.id)
    },
  ),
  law(
    'a second factor that was put is asked for as before, and accepts no code again',
    'A copy takes no account its second factor, and opens no account with a code that was used.',
    async (store) => {
      const { id } = await enrol(store)
      await giveFactor(store, { id })
      const [spent, left] = ['one', 'two'].map((code) => recoveryDigestOf(`factor ${code}`))
      assert.ok(spent && left)
      assert.equal(await store.secondFactors.takeRecovery(id, spent), 'taken')
      const before = await store.secondFactors.find(id)
      await takeAwayAndPutAgain(recordsOf(store))
      assert.deepEqual(await store.secondFactors.find(id), before)
      assert.equal((await accountOf(store, id)).secondFactor, true)
      assert.equal(await store.secondFactors.takeStep(id, stepOf()), 'spent')
      assert.equal(await store.secondFactors.takeRecovery(id, spent), 'unknown')
      assert.equal(await store.secondFactors.takeRecovery(id, left), 'taken')
    },
  ),
  law(
    'accounts that were put are found by every search',
    'After a copy an operator finds whom he found before.',
    async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      for (const account of [ann, bob]) await giveRole(store, account, 'editor')
      await store.accounts.setDisabled(bob.id, NOW)
      const role = 'editor' as RoleKey
      const found = async () =>
        await Promise.all(
          [{}, { role }, { onlyDisabled: true }, { role, onlyDisabled: true }].map(async (search) => {
            const accounts = await store.accounts.search({ ...search, limit: 10 })
            return accounts.map(({ id }) => id)
          }),
        )
      assert.deepEqual(await found(), [[ann.id, bob.id], [ann.id, bob.id], [bob.id], [bob.id]])
      await takeAwayAndPutAgain(recordsOf(store))
      assert.deepEqual(await found(), [[ann.id, bob.id], [ann.id, bob.id], [bob.id], [bob.id]])
      const { roles: _, ...record } = ann
      await recordsOf(store).put('account', [{ ...record, roles: [], disabledAt: NOW }])
      assert.deepEqual(await found(), [[ann.id, bob.id], [bob.id], [ann.id, bob.id], [bob.id]])
    },
  ),
  law(
    'a session that is put after its actor has moved on is dead',
    'A copy wakes nothing that had ended.',
    async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const stale = { ...anActor(actor), epoch: 2 as Epoch }
      const dead = { ...aSession(target, 'dead'), actor: stale }
      const active = { ...aSession(target, 'active'), createdAt: NOW + SECOND, actor: anActor(actor) }
      assert.equal(await recordsOf(store).put('session', [dead, active]), 'put')
      const page = await store.sessions.pageOf({ accountId: target.id, limit: 1, at: SOON })
      assert.deepEqual(page, [active])
      await assertDead(store, dead, SOON)
    },
  ),
]
