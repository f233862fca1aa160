import assert from 'node:assert/strict'
import type { RoleKey } from '../../domain/access/role.js'
import type { AccountId, Epoch } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { PasswordHash } from '../../domain/identity/password.js'
import type { Store } from '../../ports/store.js'
import {
  accountOf,
  addAccount,
  giveRole,
  addLoggedIn,
  logIn,
  withoutHash,
  assertAccount,
  ENDINGS,
} from '../arrangements.js'
import { assertRace, inRounds, numbersBelow, race, lawOf, type Law } from '../law.js'
import { assertInactive, assertActive } from '../logins.js'
import { hashOf, NOW, SECOND, UNKNOWN, emailOf } from '../samples.js'
import { disablingLaws } from './disabling.js'

const law = lawOf('accounts')
const accountLaw = lawOf('accounts', addAccount)
const loginLaw = lawOf('accounts', addLoggedIn)

const PASSWORD_CHANGES = ['setPassword', 'changePassword', 'a reset']
/** Number of times each caller reads the account during a change. */
const READS = 8

/** Contract tests for changes of passwords and emails and for removal of accounts, and their effect on sessions. */
export const accountChangeLaws: readonly Law[] = [
  accountLaw('setPassword sets the hash and increases the epoch by one')
    .protects('A client that knows only the old password loses access.')
    .check(async (store, ann) => {
      const bob = await addAccount(store, 'bob')
      assert.equal(await store.accounts.setPassword(ann.id, hashOf('new')), 'set')
      const expected = { ...ann, passwordHash: hashOf('new'), epoch: 2 }
      assert.deepEqual(await accountOf(store, ann.id), expected)
      assert.deepEqual(await accountOf(store, bob.id), bob)
      assert.equal(await store.accounts.setPassword(UNKNOWN, hashOf('new')), 'unknown')
    }),
  accountLaw('each of 16 concurrent setPassword calls increases the epoch')
    .protects('Every password change takes effect and ends the earlier sessions.')
    .check(async (store, { id }) => {
      await assertRace({ set: 16 }, (caller) => store.accounts.setPassword(id, hashOf(`${caller}`)))
      assert.equal((await accountOf(store, id)).epoch, 17)
    }),
  ...ENDINGS.filter(({ name }) => PASSWORD_CHANGES.includes(name)).map(({ name, end }) =>
    accountLaw(`a read during ${name} shows the new hash and the new epoch together`)
      .protects('No login with the old password survives the change.')
      .inRounds(async (store, _, ann) => {
        const look = async () => {
          for (const _ of numbersBelow(READS)) {
            const { passwordHash, epoch } = await accountOf(store, ann.id)
            assert.equal(epoch, passwordHash === ann.passwordHash ? ann.epoch : ann.epoch + 1)
          }
        }
        await race((caller) => (caller === 8 ? end(store, ann) : look()))
        assert.equal((await accountOf(store, ann.id)).epoch, ann.epoch + 1)
      }),
  ),
  accountLaw("changeEmail replaces the account's email and increases the epoch by one")
    .protects(
      'After an email change, a user logs in only with the new email, and keeps the password and roles.',
    )
    .check(async (store, ann) => {
      const editor = await giveRole(store, ann, 'editor')
      const [email, enteredEmail] = [emailOf('moved'), 'Moved@example.org' as Email]
      assert.equal(await store.accounts.changeEmail({ id: ann.id, email, enteredEmail }), 'changed')
      const moved = { ...ann, email, enteredEmail, epoch: 2 as Epoch, roles: [editor] }
      await assertAccount(store, moved)
      assert.equal(await store.accounts.findByEmail(ann.email), undefined)
      const search = { role: editor.key, limit: 10 }
      assert.deepEqual(await store.accounts.search(search), [moved])
      assert.equal(await store.accounts.changeEmail({ id: ann.id, email }), 'changed')
      const { enteredEmail: _, ...plain } = moved
      await assertAccount(store, { ...plain, epoch: 3 as Epoch })
      assert.equal((await store.accounts.insert({ ...ann, roles: [] })).kind, 'inserted')
      assert.equal(await store.accounts.changeEmail({ id: UNKNOWN, email: emailOf('none') }), 'unknown')
    }),
  accountLaw("changeEmail to another account's email changes nothing")
    .protects('An operator cannot merge two accounts by mistake.')
    .check(async (store, ann) => {
      const bob = await addAccount(store, 'bob')
      assert.equal(await store.accounts.changeEmail({ id: ann.id, email: bob.email }), 'email-taken')
      await assertAccount(store, ann)
      await assertAccount(store, bob)
    }),
  law('exactly one of 16 concurrent changes to the same email succeeds')
    .protects('No email belongs to two accounts.')
    .inRounds(async (store, round) => {
      const ids: AccountId[] = []
      for (const caller of numbersBelow(16)) ids.push((await addAccount(store, `r${round}c${caller}`)).id)
      const email = emailOf(`wanted${round}`)
      await assertRace({ changed: 1, 'email-taken': 15 }, (caller) =>
        store.accounts.changeEmail({ id: ids[caller] ?? UNKNOWN, email }),
      )
    }),
  ...disablingLaws,
  accountLaw('each change is visible in the next look-up by email, even after an earlier look-up')
    .protects('A changed password, a changed role or a disabled account takes effect at the next request.')
    .check(async (store, ann) => {
      const { id, email } = ann
      const changes = [
        () => store.accounts.replaceHash(id, hashOf('ann'), hashOf('rehashed')),
        () => store.accounts.setPassword(id, hashOf('new')),
        () => giveRole(store, ann, 'admin'),
        () => store.roles.unassign(email, 'admin' as RoleKey),
        ...[NOW, undefined].map((at) => () => store.accounts.setDisabled(id, at)),
        () => store.accounts.remove(id),
      ]
      for (const change of changes) {
        const before = await store.accounts.findByEmail(email)
        await change()
        const after = await store.accounts.findByEmail(email)
        assert.notDeepEqual(after, before)
        assert.deepEqual(after, await store.accounts.find(id))
      }
    }),
  law('remove deletes only the given account')
    .protects('Removing an account does not affect other accounts.')
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      const admin = await giveRole(store, ann, 'admin')
      for (const outcome of ['removed', 'unknown']) assert.equal(await store.accounts.remove(ann.id), outcome)
      assert.equal(await store.accounts.find(ann.id), undefined)
      assert.equal(await store.accounts.findByEmail(ann.email), undefined)
      assert.deepEqual(await store.accounts.find(bob.id), bob)
      assert.deepEqual(await store.roles.list(), [admin], 'the role itself still exists')
    }),
  accountLaw('a new account with the email of a removed account has a new id and inherits nothing')
    .protects('The next owner of an address gets no role or login of the previous owner.')
    .check(async (store, ann) => {
      await giveRole(store, ann, 'admin')
      const session = await logIn(store, ann)
      await store.accounts.remove(ann.id)
      const next = await addAccount(store)
      assert.notEqual(next.id, ann.id)
      assert.deepEqual(next, { ...ann, id: next.id })
      await assertInactive(store, session, NOW + SECOND)
    }),
  law('changePassword sets the hash, increases the epoch by one and returns the new epoch')
    .protects('A client that knows only the old password loses access.')
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      assert.equal(await change(store, ann.id, hashOf('ann'), hashOf('new')), 2)
      const expected = { ...ann, passwordHash: hashOf('new'), epoch: 2 }
      assert.deepEqual(await accountOf(store, ann.id), expected)
      assert.equal(await change(store, ann.id, hashOf('new'), hashOf('newer')), 3)
      assert.deepEqual(await accountOf(store, bob.id), bob)
    }),
  accountLaw('changePassword changes nothing if the hash has changed in the meantime')
    .protects('A concurrent change does not overwrite a password that an operator sets.')
    .check(async (store, before) => {
      assert.equal(await change(store, before.id, hashOf('other'), hashOf('new')), undefined)
      assert.deepEqual(await accountOf(store, before.id), before)
      await store.accounts.setPassword(before.id, hashOf('set'))
      const after = await accountOf(store, before.id)
      const session = await logIn(store, after)
      assert.equal(await change(store, before.id, hashOf('ann'), hashOf('new')), undefined)
      assert.deepEqual(await accountOf(store, before.id), after)
      await assertActive(store, session, NOW + SECOND)
    }),
  accountLaw('changePassword changes nothing if the account is disabled, unknown or has no password')
    .protects('A disabled account cannot change its password.')
    .check(async (store, ann) => {
      const without = await withoutHash(store, 'without')
      await store.accounts.setDisabled(ann.id, NOW)
      const before = await accountOf(store, ann.id)
      assert.equal(await change(store, ann.id, hashOf('ann'), hashOf('new')), undefined)
      assert.deepEqual(await accountOf(store, ann.id), before)
      for (const id of [without.id, UNKNOWN])
        for (const expected of [hashOf('ann'), '' as PasswordHash])
          assert.equal(await change(store, id, expected, hashOf('new')), undefined)
      assert.deepEqual(await accountOf(store, without.id), without)
    }),
  accountLaw('exactly one of 16 concurrent changePassword calls with the same expected hash succeeds')
    .protects('Only the caller whose password was stored gets a success response.')
    .check(async (store, { id }) => {
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
  loginLaw('remove with an epoch does nothing if the account has a different epoch')
    .protects('A client that knows only the previous password cannot delete the account.')
    .check(async (store, { account, session }) => {
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
  law('exactly one of 16 concurrent removals of the same account succeeds')
    .protects('A deletion is audited once.')
    .inRounds(async (store) => {
      const { id, epoch } = await addAccount(store)
      await assertRace({ removed: 1, unknown: 15 }, (caller) =>
        caller % 2 ? store.accounts.remove(id) : store.accounts.remove(id, epoch),
      )
    }),
]

async function change(store: Store, id: AccountId, expected: PasswordHash, next: PasswordHash) {
  return await store.accounts.changePassword({ id, expected, next })
}
