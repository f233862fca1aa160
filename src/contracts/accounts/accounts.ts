import assert from 'node:assert/strict'
import type { Account, AccountId } from '../../domain/identity/account.js'
import type { Email, EmailStart } from '../../domain/identity/email.js'
import type { PageOrder } from '../../domain/page-limit.js'
import type { Store } from '../../ports/store.js'
import {
  accountOf,
  assertAccount,
  addAccount,
  giveRole,
  addLoggedIn,
  logIn,
  withoutHash,
} from '../arrangements.js'
import { assertRace, eachInOrder, lawOf, type Law } from '../law.js'
import { assertActive } from '../logins.js'
import { aNewAccount, AWKWARD_STRINGS, emailOf, hashOf, NOW, SECOND, UNKNOWN } from '../samples.js'
import { walkLaws } from '../walks.js'

const law = lawOf('accounts')
const accountLaw = lawOf('accounts', addAccount)
const loginLaw = lawOf('accounts', addLoggedIn)

/** Contract tests for inserting, finding and listing accounts. */
export const accountLaws: readonly Law[] = [
  accountLaw('insert creates an account with epoch 1 and no roles')
    .protects('A user logs in with the registered email and password, and a new account has no permissions.')
    .check(async (store, ann) => {
      assert.ok(Number.isSafeInteger(ann.id) && ann.id > 0, 'the id is a positive integer')
      assert.deepEqual(ann, { ...aNewAccount('ann'), id: ann.id, epoch: 1, roles: [] })
      await assertAccount(store, ann)
    }),
  law('an account that is inserted without a password has no `password` property')
    .protects('An account without a password cannot be opened with an empty password.')
    .check(async (store) => {
      const account = await withoutHash(store)
      assert.deepEqual(Object.keys(account).sort(), ['createdAt', 'email', 'epoch', 'id', 'roles'])
    }),
  law('exactly one of 16 concurrent inserts of the same email succeeds')
    .protects('No email belongs to two accounts.')
    .inRounds(async (store, round) => {
      await assertRace({ inserted: 1, 'duplicate-email': 15 }, () =>
        store.accounts.insert(aNewAccount(`ann${round}`)),
      )
      assert.equal((await store.accounts.page(undefined, 10)).length, round)
    }),
  accountLaw('a look-up of an unknown account returns undefined')
    .protects('Looking up an unknown email is not an error.')
    .check(async (store) => {
      assert.equal(await store.accounts.find(UNKNOWN), undefined)
      for (const text of [
        '',
        'bob@example.org',
        '%',
        '_nn@example.org',
        '$ne',
        '__proto__',
        'ANN@example.org',
      ])
        assert.equal(await store.accounts.findByEmail(text as Email), undefined, text)
    }),
  law(
    'findMany returns each existing account with a given ID exactly once, equal to the result of find, in ascending order of ID',
  )
    .protects('A list of accounts contains exactly the requested accounts.')
    .check(async (store) => {
      const all = await eachInOrder(['ann', 'bob', 'cid', 'dan'], (name) => addAccount(store, name))
      const [ann, bob, cid, dan] = all as [Account, Account, Account, Account]
      const found = (...some: readonly { readonly id: AccountId }[]) =>
        store.accounts.findMany(some.map(({ id }) => id))
      assert.deepEqual(await found(dan, ann, bob), [ann, bob, dan])
      const editor = { ...bob, roles: [await giveRole(store, bob, 'editor')] }
      assert.deepEqual(await found(dan, ann, bob), [ann, editor, dan])
      assert.deepEqual(await found(cid, cid, ann, cid), [ann, cid])
      assert.deepEqual(await found({ id: UNKNOWN }, dan), [dan])
      assert.deepEqual(await found({ id: UNKNOWN }), [])
      assert.deepEqual(await found(), [])
      await store.accounts.remove(ann.id)
      assert.deepEqual(await found(dan, ann, bob), [editor, dan], 'a removed account is not found')
    }),
  law('IDs increase and are not reused after an account is removed')
    .protects('A token of a removed account never identifies another account.')
    .check(async (store) => {
      const ann = await addAccount(store, 'ann')
      const bob = await addAccount(store, 'bob')
      assert.ok(bob.id > ann.id, 'the later id is greater')
      await store.accounts.remove(bob.id)
      const cid = await addAccount(store, 'cid')
      assert.ok(cid.id > bob.id, 'the id of the removed account is not reused')
    }),
  ...walkLaws('accounts', 'account', (store) => ({
    async insert(name) {
      const answer = await store.accounts.insert(aNewAccount(name))
      return answer.kind === 'inserted' ? answer.id : assert.fail(answer.kind)
    },
    async page(after, limit) {
      const ids = (await store.accounts.page(after as AccountId | undefined, limit)).map(({ id }) => id)
      return { ids, next: ids.length < limit ? undefined : ids.at(-1) }
    },
  })),
  accountLaw('every read returns the roles in the order of their keys')
    .protects('A new role is visible at the next read of the account, and the order of roles is stable.')
    .check(async (store, ann) => {
      const writer = await giveRole(store, ann, 'writer')
      const editor = await giveRole(store, ann, 'editor')
      const owner = await giveRole(store, ann, 'owner')
      await assertAccount(store, { ...ann, roles: [editor, owner, writer] })
    }),
  law('pages list all accounts in ascending order, and newest-first pages in descending order')
    .protects('A list of accounts shows each account once, in either order.')
    .check(async (store) => {
      const all = await eachInOrder(['ann', 'bob', 'cid'], (name) => addAccount(store, name))
      for (const order of [undefined, 'oldest-first'] as const) await assertPages(store, all, order)
      await assertPages(store, all.toReversed(), 'newest-first')
      await store.accounts.remove(all[1]?.id ?? UNKNOWN)
      for (const [order, left] of [
        ['oldest-first', [all[0], all[2]]],
        ['newest-first', [all[2], all[0]]],
      ] as const) {
        assert.deepEqual(await store.accounts.page(undefined, 10, order), left)
        assert.deepEqual(await store.accounts.page(all[1]?.id, 10, order), left.slice(1))
      }
    }),
  loginLaw('replaceHash overwrites only the expected hash, and keeps the epoch and all sessions')
    .protects(
      'Rehashing a password at login does not undo a concurrent password change, and the user stays logged in.',
    )
    .check(async (store, { account: { id, epoch }, session }) => {
      assert.equal(await store.accounts.replaceHash(id, hashOf('other'), hashOf('new')), 'changed')
      assert.equal((await accountOf(store, id)).passwordHash, hashOf('ann'))
      assert.equal(await store.accounts.replaceHash(id, hashOf('ann'), hashOf('new')), 'replaced')
      const after = await accountOf(store, id)
      assert.deepEqual([after.passwordHash, after.epoch], [hashOf('new'), epoch])
      await assertActive(store, session, NOW + SECOND)
      assert.equal(await store.accounts.replaceHash(UNKNOWN, hashOf('ann'), hashOf('new')), 'changed')
    }),
  accountLaw('exactly one of 16 concurrent replaceHash calls with the same expected hash succeeds')
    .protects('The stored hash belongs to the caller whose call succeeded.')
    .inRounds(async (store, round, { id }) => {
      const expected = hashOf(`round ${round}`)
      await store.accounts.setPassword(id, expected)
      const answers = await assertRace({ replaced: 1, changed: 15 }, (caller) =>
        store.accounts.replaceHash(id, expected, hashOf(`${round} ${caller}`)),
      )
      const winner = hashOf(`${round} ${answers.indexOf('replaced')}`)
      assert.equal((await accountOf(store, id)).passwordHash, winner)
    }),
  law('emails and hashes are stored unchanged')
    .protects('No address is mistaken for another, and no text is executed as a command.')
    .check(async (store) => {
      for (const text of AWKWARD_STRINGS) {
        const email = emailOf(text)
        const passwordHash = hashOf(text)
        const answer = await store.accounts.insert({ email, passwordHash, createdAt: NOW })
        assert.equal(answer.kind, 'inserted', text)
        const found = await store.accounts.findByEmail(email)
        assert.deepEqual([found?.email, found?.passwordHash], [email, passwordHash])
      }
      assert.equal((await store.accounts.page(undefined, 100)).length, AWKWARD_STRINGS.length)
    }),
  law('an account is found by its canonical email and retains the email as entered')
    .protects('A user can log in with any spelling of the email, and sees the email as it was entered.')
    .check(async (store) => {
      const ann = await addAccount(store, 'ann', { enteredEmail: ENTERED })
      assert.deepEqual([ann.email, ann.enteredEmail], [emailOf('ann'), ENTERED])
      await assertAccount(store, ann)
      assert.deepEqual(await store.accounts.search({ start: 'ann@' as EmailStart, limit: 1 }), [ann])
      const session = await logIn(store, ann)
      assert.deepEqual((await store.sessions.findById(session.id, NOW))?.account, ann)
      assert.equal(await store.accounts.findByEmail(ENTERED), undefined, 'only the canonical email is found')
    }),
]

const ENTERED = 'Ann@Example.ORG' as Email

async function assertPages(
  store: Store,
  all: readonly Account[],
  order: PageOrder | undefined,
): Promise<void> {
  const [first, second, third] = all.map(({ id }) => id)
  const page = (after: AccountId | undefined, limit: number) => store.accounts.page(after, limit, order)
  assert.deepEqual(await page(undefined, 10), all)
  assert.deepEqual(await page(undefined, 2), all.slice(0, 2))
  assert.deepEqual(await page(first, 1), all.slice(1, 2))
  assert.deepEqual(await page(second, 10), all.slice(2))
  assert.deepEqual(await page(third, 10), [])
}
