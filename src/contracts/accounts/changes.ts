import assert from 'node:assert/strict'
import type { Account, AccountId } from '../../domain/identity/account.js'
import type { Store } from '../../ports/store.js'
import { accountOf, assertDead, assertActive, enrol, giveRole, loggedIn, logIn } from '../arrangements.js'
import { inRounds, race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { hashOf, NOW, SECOND } from '../samples.js'

const law = lawOf('accounts')
const UNKNOWN = 4_000_000_001 as AccountId

/** What a new password, a lock and a removal do, to the account and to its sessions. */
export const accountChangeLaws: readonly Law[] = [
  law(
    'setPassword sets the hash and moves the epoch by one',
    'Who knows only the old password is out.',
    async (store) => {
      const ann = await enrol(store)
      const bob = await enrol(store, 'bob')
      assert.equal(await store.accounts.setPassword(ann.id, hashOf('new')), 'set')
      const expected = { ...ann, passwordHash: hashOf('new'), epoch: 2 }
      assert.deepEqual(await accountOf(store, ann.id), expected)
      assert.deepEqual(await accountOf(store, bob.id), bob)
      assert.equal(await store.accounts.setPassword(UNKNOWN, hashOf('new')), 'unknown')
    },
  ),
  law(
    'setPassword ends every session of the account and of no other',
    'A thief with a session is thrown out by changing the password.',
    async (store) =>
      await assertEndsSessions(store, ({ id }) => store.accounts.setPassword(id, hashOf('new'))),
  ),
  law(
    'of 16 setPassword at once each moves the epoch',
    'No password change is lost, nor the end of the sessions that it ordered.',
    async (store) => {
      const { id } = await enrol(store)
      const answers = await race((caller) => store.accounts.setPassword(id, hashOf(`${caller}`)))
      assert.deepEqual(tally(answers), { set: 16 })
      assert.equal((await accountOf(store, id)).epoch, 17)
    },
  ),
  law(
    'setDisabled disables and enables, and moves the epoch by one each time',
    'A disabled account is known as such, and one that is enabled again is whole.',
    async (store) => {
      const ann = await enrol(store)
      assert.equal(await store.accounts.setDisabled(ann.id, NOW + SECOND), 'set')
      assert.deepEqual(await accountOf(store, ann.id), { ...ann, epoch: 2, disabledAt: NOW + SECOND })
      assert.equal(await store.accounts.setDisabled(ann.id, undefined), 'set')
      assert.deepEqual(await accountOf(store, ann.id), { ...ann, epoch: 3 })
      assert.equal(await store.accounts.setDisabled(UNKNOWN, NOW), 'unknown')
      assert.equal(await store.accounts.setDisabled(UNKNOWN, undefined), 'unknown')
    },
  ),
  law(
    'disabling a disabled account is unchanged, its instant and its epoch too',
    'The record of when an account was disabled stays true.',
    async (store) => {
      const { id } = await enrol(store)
      await store.accounts.setDisabled(id, NOW + SECOND)
      const before = await accountOf(store, id)
      for (const at of [NOW + SECOND, NOW + 2 * SECOND, NOW]) {
        assert.equal(await store.accounts.setDisabled(id, at), 'unchanged')
        assert.deepEqual(await accountOf(store, id), before)
      }
    },
  ),
  law(
    'enabling an enabled account is unchanged and ends no session',
    'A needless command of an operator ends no session.',
    async (store) => {
      const { account, session } = await loggedIn(store)
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
    },
  ),
  law(
    'of 16 setDisabled at once exactly one sets, and its instant stays',
    'Two operators at once are told who of them did it.',
    async (store) => {
      const { id, epoch } = await enrol(store)
      await inRounds(async (round) => {
        const disabled = await race((caller) => store.accounts.setDisabled(id, NOW + caller))
        assert.deepEqual(tally(disabled), { set: 1, unchanged: 15 })
        assert.equal((await accountOf(store, id)).disabledAt, NOW + disabled.indexOf('set'))
        const enabled = await race(() => store.accounts.setDisabled(id, undefined))
        assert.deepEqual(tally(enabled), { set: 1, unchanged: 15 })
        assert.equal((await accountOf(store, id)).epoch, epoch + 2 * round)
      })
    },
  ),
  law(
    'disabling ends every session of the account and of no other',
    'A disabled account is locked out at once.',
    async (store) => await assertEndsSessions(store, ({ id }) => store.accounts.setDisabled(id, NOW)),
  ),
  law(
    'enabling restores no earlier session',
    'A session that was cut off does not come back with the account.',
    async (store) =>
      await assertEndsSessions(store, async ({ id }) => {
        await store.accounts.setDisabled(id, NOW)
        return await store.accounts.setDisabled(id, undefined)
      }),
  ),
  law(
    'enabling wakes no session that was opened meanwhile',
    'A login that raced the lock gains nothing when it is lifted.',
    async (store) => {
      const { id } = await enrol(store)
      await store.accounts.setDisabled(id, NOW)
      const session = await logIn(store, await accountOf(store, id))
      await store.accounts.setDisabled(id, undefined)
      await assertDead(store, session, NOW + SECOND)
      await assertActive(store, await logIn(store, await accountOf(store, id), 'next'), NOW + SECOND)
    },
  ),
  law(
    'remove takes the account and its sessions away, and nothing else',
    'A deleted account leaves no way in, and no other account suffers.',
    async (store) => {
      const { id: bob } = await enrol(store, 'bob')
      await assertEndsSessions(store, async ({ id, email }) => {
        assert.equal(await store.accounts.remove(id), 'removed')
        assert.equal(await store.accounts.find(id), undefined)
        assert.equal(await store.accounts.findByEmail(email), undefined)
        assert.equal(await store.accounts.remove(id), 'unknown')
      })
      assert.ok(await store.accounts.find(bob))
    },
  ),
  law(
    'a new account of a removed email has another id and no roles',
    'The next owner of the address does not inherit rights or sessions.',
    async (store) => {
      const ann = await enrol(store)
      await giveRole(store, ann, 'admin')
      const session = await logIn(store, ann)
      await store.accounts.remove(ann.id)
      const next = await enrol(store)
      assert.notEqual(next.id, ann.id)
      assert.deepEqual(next.roles, [])
      await assertDead(store, session, NOW + SECOND)
      assert.equal((await store.roles.list()).length, 1, 'the role itself stays')
    },
  ),
]

/** Two sessions of one account are dead after `act`, that of another account is not. */
export async function assertEndsSessions(
  store: Store,
  act: (account: Account) => Promise<unknown>,
): Promise<void> {
  const ann = await enrol(store, 'ann')
  const other = await logIn(store, await enrol(store, 'other'), 'other')
  const sessions = [await logIn(store, ann, 'first'), await logIn(store, ann, 'second')]
  for (const session of sessions) await assertActive(store, session, NOW)
  await act(ann)
  for (const session of sessions) await assertDead(store, session, NOW + SECOND)
  await assertActive(store, other, NOW + SECOND)
}
