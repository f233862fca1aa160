import assert from 'node:assert/strict'
import type { Account, AccountId } from '../../domain/identity/account.js'
import {
  PASSKEYS_MAX,
  type Passkey,
  type PasskeyId,
  type PasskeyName,
} from '../../domain/identity/passkey.js'
import type { PasskeyUse } from '../../ports/passkeys.js'
import {
  accountOf,
  addAccount,
  addPasskey,
  addPasskeys,
  logIn,
  withoutHash,
  ENDINGS,
} from '../arrangements.js'
import { lawOf, type Law } from '../law.js'
import { aPasskey, AWKWARD_STRINGS, NOW, passkeyIdOf, SECOND, UNKNOWN } from '../samples.js'

const law = lawOf('passkeys')
const accountLaw = lawOf('passkeys', addAccount)
const passkeyLaw = lawOf('passkeys', async (store) => {
  const account = await addAccount(store)
  return { account, phone: await addPasskey(store, account, 'phone') }
})
const NEW_NAME = 'New name' as PasskeyName
const NO_PASSKEY = passkeyIdOf('unknown')

/** Contract tests for passkeys, except the laws for concurrent calls. */
export const passkeyLaws: readonly Law[] = [
  passkeyLaw('find and listOf return every added passkey, in the order of creation')
    .protects('A user finds every passkey in the list, and can log in with each.')
    .check(async (store, { account, phone }) => {
      const bob = await addAccount(store, 'bob')
      const later = await addPasskey(store, account, 'later', {
        createdAt: NOW + 1,
        lastUsedAt: NOW + SECOND,
      })
      const earlier = await addPasskey(store, account, 'earlier', { createdAt: NOW - 1, synced: false })
      const same = await addPasskey(store, account, 'same', { counter: 2 ** 32 - 1, backedUp: true })
      const other = await addPasskey(store, bob, 'other', { transports: [] })
      for (const one of [phone, later, earlier, same, other])
        assert.deepEqual(await store.passkeys.find(one.id), one)
      const atNow = [phone, same].sort((one, two) => (one.id < two.id ? -1 : 1))
      assert.deepEqual(await store.passkeys.listOf(account.id), [earlier, ...atNow, later])
      assert.deepEqual(await store.passkeys.listOf(bob.id), [other])
      assert.equal(await store.passkeys.find(NO_PASSKEY), undefined)
      assert.deepEqual(await store.passkeys.listOf(UNKNOWN), [])
    }),
  accountLaw('add stores IDs of any length, names and transports unchanged, and IDs are case-sensitive')
    .protects('Every authenticator that the standard permits can be used, and its user recognizes the name.')
    .check(async (store, ann) => {
      const bytes = 'aB-_'.repeat(341)
      for (const id of [bytes, bytes.toLowerCase(), 'Ag', 'ag', '__proto__'] as PasskeyId[])
        await addPasskey(store, ann, 'long', { id })
      const texts = AWKWARD_STRINGS.slice(0, PASSKEYS_MAX - 5)
      for (const text of texts) await addPasskey(store, ann, text, { transports: [text, text] })
      assert.equal((await store.passkeys.listOf(ann.id)).length, texts.length + 5)
    }),
  accountLaw('add returns the first reason that applies: changed, full, taken')
    .protects('A user learns why a passkey was not added, and no account has too many passkeys.')
    .check(async (store, ann) => {
      const add = async (account: Account, label: string) =>
        await store.passkeys.add(aPasskey(account, label), account.epoch)
      await addPasskeys(store, ann, PASSKEYS_MAX - 1)
      const bob = await addAccount(store, 'bob')
      const other = await addPasskey(store, bob, 'other')
      assert.equal(await add(ann, 'other'), 'taken')
      assert.equal(await add(ann, `${ann.email} 0`), 'taken')
      const last = await addPasskey(store, ann, 'last')
      for (const label of ['one more', 'other', 'last']) assert.equal(await add(ann, label), 'full')
      await store.accounts.setDisabled(ann.id, NOW)
      const disabled = await accountOf(store, ann.id)
      for (const account of [ann, disabled, { ...ann, id: UNKNOWN }])
        assert.equal(await add(account, 'last'), 'changed')
      assert.equal((await store.passkeys.listOf(ann.id)).length, PASSKEYS_MAX)
      assert.deepEqual(await store.passkeys.find(last.id), last)
      assert.deepEqual(await store.passkeys.listOf(bob.id), [other])
    }),
  ...ENDINGS.map(({ name, end }) =>
    passkeyLaw(
      `${name} makes add refuse the earlier epoch, and keeps the passkeys unless it removes the account`,
    )
      .protects(
        'A stolen session cannot leave a passkey behind, and a new password does not remove passkeys.',
      )
      .check(async (store, { account, phone }) => {
        await end(store, account)
        assert.equal(await store.passkeys.add(aPasskey(account, 'late'), account.epoch), 'changed')
        const kept = name === 'remove' ? [] : [phone]
        assert.deepEqual(await store.passkeys.listOf(account.id), kept)
        assert.deepEqual(await store.passkeys.find(phone.id), kept[0])
      }),
  ),
  passkeyLaw('the passkeys of a removed account are removed, and their IDs can be added again')
    .protects("The next owner of an email address does not inherit the previous owner's passkeys.")
    .check(async (store, { account: before }) => {
      await store.accounts.remove(before.id)
      const after = await addAccount(store)
      assert.deepEqual(await store.passkeys.listOf(after.id), [])
      for (const outcome of ['unknown', 'unknown'])
        assert.equal(await store.passkeys.use(passkeyIdOf('phone'), useAt(1)), outcome)
      const phone = await addPasskey(store, after, 'phone')
      assert.deepEqual(await store.passkeys.find(phone.id), phone)
    }),
  accountLaw('no call changes the epoch or ends a session')
    .protects('Adding or removing a passkey does not log the user out.')
    .check(async (store, ann) => {
      const session = await logIn(store, ann)
      const [one] = await addPasskeys(store, ann, 2)
      assert.ok(one)
      await store.passkeys.use(one.id, useAt(1))
      await store.passkeys.rename(ann.id, one.id, NEW_NAME)
      await store.passkeys.remove(ann.id, one.id)
      const found = await store.sessions.find(session.current.keyDigest, NOW)
      assert.deepEqual(found, { session, account: ann })
    }),
  passkeyLaw('using a passkey stores the counter, the backup state and the time')
    .protects('A user sees when a passkey was used last.')
    .check(async (store, { account, phone }) => {
      const other = await addPasskey(store, account, 'other')
      const uses = [useAt(0), useAt(0, false), useAt(1), useAt(7, false), useAt(2 ** 32 - 1)]
      for (const { at: lastUsedAt, ...use } of uses) {
        assert.equal(await store.passkeys.use(phone.id, { ...use, at: lastUsedAt }), 'used')
        assert.deepEqual(await store.passkeys.find(phone.id), { ...phone, ...use, lastUsedAt })
      }
      assert.deepEqual(await store.passkeys.find(other.id), other)
    }),
  accountLaw('use refuses a counter that does not exceed the stored counter, and changes nothing')
    .protects('A cloned authenticator is detected.')
    .check(async (store, ann) => {
      const counting = await addPasskey(store, ann, 'counting', { counter: 5 })
      for (const counter of [0, 1, 4, 5])
        assert.equal(await store.passkeys.use(counting.id, useAt(counter)), 'rewound')
      assert.deepEqual(await store.passkeys.find(counting.id), counting)
      assert.equal(await store.passkeys.use(NO_PASSKEY, useAt(6)), 'unknown')
      assert.equal(await store.passkeys.use(counting.id, useAt(6)), 'used')
    }),
  passkeyLaw('rename changes only the name of a passkey that belongs to this account')
    .protects("No account can rename another account's passkey.")
    .check(async (store, { account, phone }) => {
      const bob = await addAccount(store, 'bob')
      const other = await addPasskey(store, bob, 'other')
      const rename = async (id: AccountId, of: PasskeyId) => await store.passkeys.rename(id, of, NEW_NAME)
      for (const [id, of] of [
        [account.id, other.id],
        [bob.id, phone.id],
        [account.id, NO_PASSKEY],
        [UNKNOWN, phone.id],
      ] as const)
        assert.equal(await rename(id, of), 'unknown')
      for (const one of [phone, other]) assert.deepEqual(await store.passkeys.find(one.id), one)
      const both = [rename(account.id, phone.id), rename(bob.id, other.id)]
      assert.deepEqual(await Promise.all(both), ['renamed', 'renamed'])
      for (const one of [phone, other])
        assert.deepEqual(await store.passkeys.find(one.id), { ...one, name: NEW_NAME })
    }),
  passkeyLaw(
    'remove deletes a passkey of this account, so that another passkey, even with the same ID, can be added',
  )
    .protects("A lost authenticator stops working, and no account can remove another account's passkey.")
    .check(async (store, { account, phone }) => {
      const bob = await addAccount(store, 'bob')
      const other = await addPasskey(store, bob, 'other')
      const full = await addPasskeys(store, account, PASSKEYS_MAX - 1)
      for (const id of [other.id, NO_PASSKEY])
        assert.equal(await store.passkeys.remove(account.id, id), 'unknown')
      for (const outcome of ['removed', 'unknown'])
        assert.equal(await store.passkeys.remove(account.id, phone.id), outcome)
      assert.equal(await store.passkeys.find(phone.id), undefined)
      assert.equal(await store.passkeys.use(phone.id, useAt(1)), 'unknown')
      assert.equal((await store.passkeys.listOf(account.id)).length, full.length)
      await addPasskey(store, account, 'phone')
      assert.deepEqual(await store.passkeys.listOf(bob.id), [other])
    }),
  law('the last passkey of an account without a password cannot be removed')
    .protects('Removing a passkey locks no user out of their account.')
    .check(async (store) => {
      const bob = await withoutHash(store, 'bob')
      const [first, last] = (await addPasskeys(store, bob, 2)) as [Passkey, Passkey]
      assert.equal(await store.passkeys.remove(bob.id, NO_PASSKEY), 'unknown')
      assert.equal(await store.passkeys.remove(bob.id, first.id), 'removed')
      assert.equal(await store.passkeys.remove(bob.id, first.id), 'unknown')
      assert.equal(await store.passkeys.remove(bob.id, last.id), 'last-way')
      assert.deepEqual(await store.passkeys.listOf(bob.id), [last])
      await store.accounts.setPassword(bob.id, (await addAccount(store)).passwordHash ?? assert.fail())
      assert.equal(await store.passkeys.remove(bob.id, last.id), 'removed')
      assert.deepEqual(await store.passkeys.listOf(bob.id), [])
    }),
]

/** Returns a passkey use with this counter; the counter also determines the time. */
function useAt(counter: number, backedUp = true): PasskeyUse {
  return { counter, backedUp, at: NOW + counter }
}
