import assert from 'node:assert/strict'
import { accountOf, addAccount, addLoggedIn, logIn } from '../arrangements.js'
import { assertRace, inRounds, race, lawOf, type Law } from '../law.js'
import { assertActive, assertInactive } from '../logins.js'
import { NOW, SECOND, UNKNOWN } from '../samples.js'

const accountLaw = lawOf('accounts', addAccount)
const loginLaw = lawOf('accounts', addLoggedIn)

/** Contract tests for disabling and enabling accounts. */
export const disablingLaws: readonly Law[] = [
  accountLaw('setDisabled disables or enables the account, and increases the epoch by one each time')
    .protects('A disabled account is marked as disabled, and enabling restores it completely.')
    .check(async (store, ann) => {
      assert.equal(await store.accounts.setDisabled(ann.id, NOW + SECOND), 'set')
      assert.deepEqual(await accountOf(store, ann.id), { ...ann, epoch: 2, disabledAt: NOW + SECOND })
      assert.equal(await store.accounts.setDisabled(ann.id, undefined), 'set')
      assert.deepEqual(await accountOf(store, ann.id), { ...ann, epoch: 3 })
      assert.equal(await store.accounts.setDisabled(UNKNOWN, NOW), 'unknown')
      assert.equal(await store.accounts.setDisabled(UNKNOWN, undefined), 'unknown')
    }),
  accountLaw('disabling a disabled account returns `unchanged` and keeps the time of disabling and the epoch')
    .protects('The time at which an account was disabled stays correct.')
    .check(async (store, { id }) => {
      await store.accounts.setDisabled(id, NOW + SECOND)
      const before = await accountOf(store, id)
      for (const at of [NOW + SECOND, NOW + 2 * SECOND, NOW]) {
        assert.equal(await store.accounts.setDisabled(id, at), 'unchanged')
        assert.deepEqual(await accountOf(store, id), before)
      }
    }),
  loginLaw('enabling an enabled account returns `unchanged` and ends no session')
    .protects('Enabling an account that is already enabled does not log any user out.')
    .check(async (store, { account, session }) => {
      assert.equal(await store.accounts.setDisabled(account.id, undefined), 'unchanged')
      assert.deepEqual(await accountOf(store, account.id), account)
      await assertActive(store, session, NOW + SECOND)
      await store.accounts.setDisabled(account.id, NOW + SECOND)
      await store.accounts.setDisabled(account.id, undefined)
      const enabled = await accountOf(store, account.id)
      const next = await logIn(store, enabled, 'next')
      assert.equal(await store.accounts.setDisabled(account.id, undefined), 'unchanged')
      assert.deepEqual(await accountOf(store, account.id), enabled)
      await assertActive(store, next, NOW + SECOND)
    }),
  accountLaw('setDisabled with `since` changes the time only of an account that was disabled at `since`')
    .protects('An import never enables an account that an operator disabled before the import finished.')
    .check(async (store, { id, epoch }) => {
      const again = async () => await store.accounts.setDisabled(id, NOW + SECOND, NOW)
      assert.equal(await again(), 'unchanged')
      await store.accounts.setDisabled(id, NOW)
      await assertRace({ set: 1, unchanged: 15 }, again)
      const disabled = await accountOf(store, id)
      assert.deepEqual([disabled.disabledAt, disabled.epoch], [NOW + SECOND, epoch + 2])
      assert.equal(await store.accounts.setDisabled(id, undefined, NOW), 'unchanged')
      assert.equal(await store.accounts.setDisabled(UNKNOWN, NOW + SECOND, NOW), 'unknown')
    }),
  accountLaw('setDisabled with `since` enables only an account that was disabled at `since`')
    .protects('Approving an account never enables an account that an operator has disabled.')
    .check(async (store, { id }) => {
      const again = async () => {
        await store.accounts.setDisabled(id, undefined)
        return await store.accounts.setDisabled(id, NOW + SECOND)
      }
      await inRounds(async () => {
        await store.accounts.setDisabled(id, NOW)
        await race((caller) => (caller === 8 ? again() : store.accounts.setDisabled(id, undefined, NOW)))
        const { disabledAt, epoch } = await accountOf(store, id)
        assert.equal(disabledAt, NOW + SECOND)
        assert.equal(await store.accounts.setDisabled(id, undefined, NOW), 'unchanged')
        assert.equal((await accountOf(store, id)).epoch, epoch)
        assert.equal(await store.accounts.setDisabled(id, undefined, NOW + SECOND), 'set')
      })
    }),
  accountLaw('exactly one of 16 concurrent setDisabled calls succeeds, and the time of that call is stored')
    .protects('Each operator learns whether their call disabled the account.')
    .check(async (store, { id, epoch }) => {
      await inRounds(async (round) => {
        const disabled = await assertRace({ set: 1, unchanged: 15 }, (caller) =>
          store.accounts.setDisabled(id, NOW + caller),
        )
        assert.equal((await accountOf(store, id)).disabledAt, NOW + disabled.indexOf('set'))
        await assertRace({ set: 1, unchanged: 15 }, () => store.accounts.setDisabled(id, undefined))
        assert.equal((await accountOf(store, id)).epoch, epoch + 2 * round)
      })
    }),
  accountLaw('enabling does not activate a session that was opened while the account was disabled')
    .protects(
      'A login that began while the account was being disabled does not become active when the account is enabled again.',
    )
    .check(async (store, { id }) => {
      await store.accounts.setDisabled(id, NOW)
      const session = await logIn(store, await accountOf(store, id))
      await store.accounts.setDisabled(id, undefined)
      await assertInactive(store, session, NOW + SECOND)
      await assertActive(store, await logIn(store, await accountOf(store, id), 'next'), NOW + SECOND)
    }),
]
