import assert from 'node:assert/strict'
import type { Account, AccountId, Epoch } from '../../domain/identity/account.js'
import type { Store } from '../../ports/store.js'
import { accountOf, enrol, giveRole, loggedIn, logIn } from '../arrangements.js'
import { assertDead, assertActive } from '../active-sessions.js'
import { assertVoid, accountWithReset } from '../reset-tokens.js'
import { inRounds, race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { hashOf, NOW, SECOND, aConsumption, aNewAccount, UNKNOWN } from '../samples.js'
import type { PasswordHash } from '../../domain/identity/password.js'

const law = lawOf('accounts')

/** What a new password, a lock and a removal do to the account and to its sessions. */
export const accountChangeLaws: readonly Law[] = [
  law('setPassword sets the hash and moves the epoch by one')
    .protects('Who knows only the old password is out.')
    .check(async (store) => {
      const ann = await enrol(store)
      const bob = await enrol(store, 'bob')
      assert.equal(await store.accounts.setPassword(ann.id, hashOf('new')), 'set')
      const expected = { ...ann, passwordHash: hashOf('new'), epoch: 2 }
      assert.deepEqual(await accountOf(store, ann.id), expected)
      assert.deepEqual(await accountOf(store, bob.id), bob)
      assert.equal(await store.accounts.setPassword(UNKNOWN, hashOf('new')), 'unknown')
    }),
  law('setPassword ends every session of the account and of no other')
    .protects('A thief with a session is thrown out by changing the password.')
    .check((store) => assertEndsSessions(store, ({ id }) => store.accounts.setPassword(id, hashOf('new')))),
  law('of 16 setPassword at once each moves the epoch')
    .protects('No password change is lost, nor the end of the sessions that it ordered.')
    .check(async (store) => {
      const { id } = await enrol(store)
      const answers = await race((caller) => store.accounts.setPassword(id, hashOf(`${caller}`)))
      assert.deepEqual(tally(answers), { set: 16 })
      assert.equal((await accountOf(store, id)).epoch, 17)
    }),
  law('setDisabled disables and enables, and moves the epoch by one each time')
    .protects('A disabled account is known as such, and one that is enabled again is whole.')
    .check(async (store) => {
      const ann = await enrol(store)
      assert.equal(await store.accounts.setDisabled(ann.id, NOW + SECOND), 'set')
      assert.deepEqual(await accountOf(store, ann.id), { ...ann, epoch: 2, disabledAt: NOW + SECOND })
      assert.equal(await store.accounts.setDisabled(ann.id, undefined), 'set')
      assert.deepEqual(await accountOf(store, ann.id), { ...ann, epoch: 3 })
      assert.equal(await store.accounts.setDisabled(UNKNOWN, NOW), 'unknown')
      assert.equal(await store.accounts.setDisabled(UNKNOWN, undefined), 'unknown')
    }),
  law('disabling a disabled account is unchanged, its instant and its epoch too')
    .protects('The record of when an account was disabled stays true.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await store.accounts.setDisabled(id, NOW + SECOND)
      const before = await accountOf(store, id)
      for (const at of [NOW + SECOND, NOW + 2 * SECOND, NOW]) {
        assert.equal(await store.accounts.setDisabled(id, at), 'unchanged')
        assert.deepEqual(await accountOf(store, id), before)
      }
    }),
  law('enabling an enabled account is unchanged and ends no session')
    .protects('A needless command of an operator ends no session.')
    .check(async (store) => {
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
    }),
  law('of 16 setDisabled at once exactly one sets, and its instant stays')
    .protects('Two operators at once are told who of them did it.')
    .check(async (store) => {
      const { id, epoch } = await enrol(store)
      await inRounds(async (round) => {
        const disabled = await race((caller) => store.accounts.setDisabled(id, NOW + caller))
        assert.deepEqual(tally(disabled), { set: 1, unchanged: 15 })
        assert.equal((await accountOf(store, id)).disabledAt, NOW + disabled.indexOf('set'))
        const enabled = await race(() => store.accounts.setDisabled(id, undefined))
        assert.deepEqual(tally(enabled), { set: 1, unchanged: 15 })
        assert.equal((await accountOf(store, id)).epoch, epoch + 2 * round)
      })
    }),
  law('disabling ends every session of the account and of no other')
    .protects('A disabled account is locked out at once.')
    .check((store) => assertEndsSessions(store, ({ id }) => store.accounts.setDisabled(id, NOW))),
  law('enabling restores no earlier session')
    .protects('A session that was cut off does not come back with the account.')
    .check((store) =>
      assertEndsSessions(store, async ({ id }) => {
        await store.accounts.setDisabled(id, NOW)
        return await store.accounts.setDisabled(id, undefined)
      }),
    ),
  law('enabling wakes no session that was opened meanwhile')
    .protects('A login that raced the lock gains nothing when it is lifted.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await store.accounts.setDisabled(id, NOW)
      const session = await logIn(store, await accountOf(store, id))
      await store.accounts.setDisabled(id, undefined)
      await assertDead(store, session, NOW + SECOND)
      await assertActive(store, await logIn(store, await accountOf(store, id), 'next'), NOW + SECOND)
    }),
  law('remove takes the account and its sessions away, and nothing else')
    .protects('A deleted account leaves no way in, and no other account suffers.')
    .check(async (store) => {
      const { id: bob } = await enrol(store, 'bob')
      await assertEndsSessions(store, async ({ id, email }) => {
        assert.equal(await store.accounts.remove(id), 'removed')
        assert.equal(await store.accounts.find(id), undefined)
        assert.equal(await store.accounts.findByEmail(email), undefined)
        assert.equal(await store.accounts.remove(id), 'unknown')
      })
      assert.ok(await store.accounts.find(bob))
    }),
  law('a new account of a removed email has another id and no roles')
    .protects('The next owner of the address does not inherit rights or sessions.')
    .check(async (store) => {
      const ann = await enrol(store)
      await giveRole(store, ann, 'admin')
      const session = await logIn(store, ann)
      await store.accounts.remove(ann.id)
      const next = await enrol(store)
      assert.notEqual(next.id, ann.id)
      assert.deepEqual(next.roles, [])
      await assertDead(store, session, NOW + SECOND)
      assert.equal((await store.roles.list()).length, 1, 'the role itself stays')
    }),
  law('changePassword sets the hash, moves the epoch by one and returns it')
    .protects('Who knows only the old password is out.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      assert.equal(await change(store, ann.id, hashOf('ann'), hashOf('new')), 2)
      const expected = { ...ann, passwordHash: hashOf('new'), epoch: 2 }
      assert.deepEqual(await accountOf(store, ann.id), expected)
      assert.equal(await change(store, ann.id, hashOf('new'), hashOf('newer')), 3)
      assert.deepEqual(await accountOf(store, bob.id), bob)
    }),
  law('changePassword changes nothing where the hash is another one by now')
    .protects('A new password that an operator sets is not undone by a change that was under way.')
    .check(async (store) => {
      const before = await enrol(store)
      assert.equal(await change(store, before.id, hashOf('other'), hashOf('new')), undefined)
      assert.deepEqual(await accountOf(store, before.id), before)
      await store.accounts.setPassword(before.id, hashOf('set'))
      const after = await accountOf(store, before.id)
      const session = await logIn(store, after)
      assert.equal(await change(store, before.id, hashOf('ann'), hashOf('new')), undefined)
      assert.deepEqual(await accountOf(store, before.id), after)
      await assertActive(store, session, NOW + SECOND)
    }),
  law('changePassword changes nothing of an account that is disabled, unknown or has no password')
    .protects('Who is locked out changes nothing.')
    .check(async (store) => {
      const ann = await enrol(store)
      const { email, createdAt } = aNewAccount('without')
      assert.equal((await store.accounts.insert({ email, createdAt })).kind, 'inserted')
      const without = await store.accounts.findByEmail(email)
      await store.accounts.setDisabled(ann.id, NOW)
      const before = await accountOf(store, ann.id)
      assert.equal(await change(store, ann.id, hashOf('ann'), hashOf('new')), undefined)
      assert.deepEqual(await accountOf(store, ann.id), before)
      for (const id of [without?.id ?? UNKNOWN, UNKNOWN])
        for (const expected of [hashOf('ann'), '' as PasswordHash])
          assert.equal(await change(store, id, expected, hashOf('new')), undefined)
      assert.deepEqual(await store.accounts.findByEmail(email), without)
    }),
  law('changePassword ends every session of the account and of no other')
    .protects('A thief with a session is thrown out by the owner.')
    .check((store) =>
      assertEndsSessions(store, async ({ id }) => {
        assert.equal(await change(store, id, hashOf('ann'), hashOf('new')), 2)
      }),
    ),
  law('changePassword voids a reset token')
    .protects('After a new password no mailed link works.')
    .check(async (store) => {
      const { account, issued } = await accountWithReset(store)
      const { id, passwordHash = hashOf('') } = account
      assert.equal(await change(store, id, passwordHash, hashOf('new')), account.epoch + 1)
      await assertVoid(store, aConsumption(account, issued))
    }),
  law('of 16 changePassword with one expected hash at once exactly one changes it')
    .protects('Of two who change a password one is told that it is theirs.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await inRounds(async (round) => {
        const { epoch, passwordHash = hashOf('') } = await accountOf(store, id)
        const answers = await race((caller) =>
          change(store, id, passwordHash, hashOf(`round ${round} of ${caller}`)),
        )
        const winner = answers.findIndex((answer) => answer !== undefined)
        const epochs = answers.filter((answer) => answer !== undefined)
        assert.deepEqual(epochs, [epoch + 1])
        const after = await accountOf(store, id)
        assert.deepEqual(
          [after.epoch, after.passwordHash],
          [epoch + 1, hashOf(`round ${round} of ${winner}`)],
        )
      })
    }),
  law('remove with an epoch takes the account only while it has that one, else nothing of it')
    .protects('Who knew the previous password cannot delete the account any more.')
    .check(async (store) => {
      const { account, session } = await loggedIn(store)
      await giveRole(store, account, 'editor')
      for (const epoch of [0, 2, 3]) {
        assert.equal(await store.accounts.remove(account.id, epoch as Epoch), 'unknown')
        await assertActive(store, session, NOW + SECOND)
      }
      await store.accounts.setPassword(account.id, hashOf('new'))
      const before = await accountOf(store, account.id)
      const late = await logIn(store, before, 'late')
      assert.equal(await store.accounts.remove(account.id, account.epoch), 'unknown')
      assert.deepEqual(await accountOf(store, account.id), before)
      await assertActive(store, late, NOW + SECOND)
      assert.equal(await store.accounts.remove(account.id, before.epoch), 'removed')
      assert.equal(await store.accounts.find(account.id), undefined)
    }),
  law('of 16 removes of one account at once exactly one removes it')
    .protects('A deletion is audited once.')
    .inRounds(async (store) => {
      const { id, epoch } = await enrol(store)
      const outcomes = await race((caller) =>
        caller % 2 ? store.accounts.remove(id) : store.accounts.remove(id, epoch),
      )
      assert.deepEqual(tally(outcomes), { removed: 1, unknown: 15 })
    }),
]

/** Two sessions of one account are dead after `act`, that of another account is not. */
async function assertEndsSessions(store: Store, act: (account: Account) => Promise<unknown>) {
  const ann = await enrol(store, 'ann')
  const other = await logIn(store, await enrol(store, 'other'), 'other')
  const sessions = [await logIn(store, ann, 'first'), await logIn(store, ann, 'second')]
  for (const session of sessions) await assertActive(store, session, NOW)
  await act(ann)
  for (const session of sessions) await assertDead(store, session, NOW + SECOND)
  await assertActive(store, other, NOW + SECOND)
}

async function change(store: Store, id: AccountId, expected: PasswordHash, next: PasswordHash) {
  return await store.accounts.changePassword({ id, expected, next })
}
