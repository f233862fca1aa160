import assert from 'node:assert/strict'
import { walkLaws } from '../walks.js'
import type { Account, AccountId } from '../../domain/identity/account.js'
import type { Email, EmailStart } from '../../domain/identity/email.js'
import type { PageOrder } from '../../domain/page-limit.js'
import type { Store } from '../../ports/store.js'
import { accountOf, assertAccount, enrol, establish, giveRole, logIn, withoutHash } from '../arrangements.js'
import { assertActive } from '../active-sessions.js'
import { assertRace, inTurn } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aNewAccount, AWKWARD_TEXTS, emailOf, hashOf, NOW, SECOND, UNKNOWN } from '../samples.js'
import { assertUnaffected } from '../tamper.js'

const law = lawOf('accounts')
const accountLaw = lawOf('accounts', enrol)

export const accountLaws: readonly Law[] = [
  accountLaw('insert creates an account with epoch 1 and no roles')
    .protects('A user logs in with exactly the registered data, and no account starts with a right.')
    .check(async (store, ann) => {
      assert.ok(Number.isSafeInteger(ann.id) && ann.id > 0, 'the id is a positive integer')
      assert.deepEqual(ann, { ...aNewAccount('ann'), id: ann.id, epoch: 1, roles: [] })
      await assertAccount(store, ann)
    }),
  law('an account inserted without a password has no password member')
    .protects('An account that never got a password cannot be opened with an empty one.')
    .check(async (store) => {
      const account = await withoutHash(store)
      assert.deepEqual(Object.keys(account).sort(), ['createdAt', 'email', 'epoch', 'id', 'roles'])
    }),
  accountLaw('a second insert of an email is rejected and changes nothing')
    .protects('Registering again does not take over an account.')
    .check(async (store, ann) => {
      const again = { ...aNewAccount('ann'), passwordHash: hashOf('mallory') }
      assert.deepEqual(await store.accounts.insert(again), { kind: 'duplicate-email' })
      assert.deepEqual(await store.accounts.findByEmail(ann.email), ann)
      assert.equal((await store.accounts.page(undefined, 10)).length, 1)
    }),
  law('16 concurrent inserts of one email succeed exactly once')
    .protects('No email belongs to two accounts.')
    .inRounds(async (store, round) => {
      await assertRace({ inserted: 1, 'duplicate-email': 15 }, () =>
        store.accounts.insert(aNewAccount(`ann${round}`)),
      )
      assert.equal((await store.accounts.page(undefined, 10)).length, round)
    }),
  accountLaw('a look-up of an unknown account returns undefined')
    .protects('An unknown email is an answer, not an error.')
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
  law('ids increase and are not used again after remove')
    .protects('A token of a removed account never names another account.')
    .check(async (store) => {
      const ann = await enrol(store, 'ann')
      const bob = await enrol(store, 'bob')
      assert.ok(bob.id > ann.id, 'the later id is greater')
      await store.accounts.remove(bob.id)
      const cid = await enrol(store, 'cid')
      assert.ok(cid.id > bob.id, 'the id of the removed account is spent')
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
    .protects('A new role shows at the next read of the account, and replies keep their order.')
    .check(async (store, ann) => {
      const writer = await giveRole(store, ann, 'writer')
      const editor = await giveRole(store, ann, 'editor')
      const owner = await giveRole(store, ann, 'owner')
      await assertAccount(store, { ...ann, roles: [editor, owner, writer] })
    }),
  law('pages list all accounts in ascending order')
    .protects('A list of accounts shows each account once.')
    .check(async (store) => {
      await assertPages(store, await inTurn(['ann', 'bob', 'cid'], (name) => enrol(store, name)), undefined)
    }),
  law('newest-first pages list all accounts in descending order')
    .protects('An operator finds the newest accounts without reading all older ones.')
    .check(async (store) => {
      const all = await inTurn(['ann', 'bob', 'cid'], (name) => enrol(store, name))
      await assertPages(store, all.toReversed(), 'newest-first')
      assert.deepEqual(await store.accounts.page(undefined, 10, 'oldest-first'), [all[0], all[2]])
    }),
  accountLaw('replaceHash overwrites only the expected hash')
    .protects('Rehashing an old password does not undo a password change.')
    .check(async (store, { id }) => {
      assert.equal(await store.accounts.replaceHash(id, hashOf('other'), hashOf('new')), 'changed')
      assert.equal((await accountOf(store, id)).passwordHash, hashOf('ann'))
      assert.equal(await store.accounts.replaceHash(id, hashOf('ann'), hashOf('new')), 'replaced')
      assert.equal((await accountOf(store, id)).passwordHash, hashOf('new'))
      assert.equal(await store.accounts.replaceHash(UNKNOWN, hashOf('ann'), hashOf('new')), 'changed')
    }),
  accountLaw('replaceHash keeps the epoch and all sessions')
    .protects('A user whose hash is upgraded at login stays logged in.')
    .check(async (store, ann) => {
      const session = await logIn(store, ann)
      await store.accounts.replaceHash(ann.id, hashOf('ann'), hashOf('new'))
      assert.equal((await accountOf(store, ann.id)).epoch, ann.epoch)
      await assertActive(store, session, NOW + SECOND)
    }),
  accountLaw('16 concurrent replaceHash calls with the same expected hash succeed exactly once')
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
  law('changing inputs or answers later does not change the store')
    .protects('A caller that reuses an object does not write to the store by accident.')
    .check(async (store) => {
      const editor = await establish(store, 'editor')
      const draft = { ...aNewAccount('ann'), roles: [editor.key] }
      await store.accounts.insert(draft)
      const { id, email } = (await store.accounts.findByEmail(draft.email)) ?? assert.fail('it is found')
      await assertUnaffected(
        [draft],
        () => store.accounts.find(id),
        () => store.accounts.findByEmail(email),
        () => store.accounts.page(undefined, 10),
        () => store.accounts.search({ limit: 10 }),
        () => store.accounts.search({ role: editor.key, limit: 10 }),
      )
    }),
  law('emails and hashes are kept exactly')
    .protects('No address is confused with another, and no text is executed as a command.')
    .check(async (store) => {
      for (const text of AWKWARD_TEXTS) {
        const email = emailOf(text)
        const passwordHash = hashOf(text)
        const answer = await store.accounts.insert({ email, passwordHash, createdAt: NOW })
        assert.equal(answer.kind, 'inserted', text)
        const found = await store.accounts.findByEmail(email)
        assert.deepEqual([found?.email, found?.passwordHash], [email, passwordHash])
      }
      assert.equal((await store.accounts.page(undefined, 100)).length, AWKWARD_TEXTS.length)
    }),
  law('an account is found by its canonical email and keeps the entered email')
    .protects('A user logs in with any spelling of the email, and sees it as entered.')
    .check(async (store) => {
      const ann = await enrol(store, 'ann', { enteredEmail: ENTERED })
      assert.deepEqual([ann.email, ann.enteredEmail], [emailOf('ann'), ENTERED])
      await assertAccount(store, ann)
      assert.deepEqual(await store.accounts.search({ start: 'ann@' as EmailStart, limit: 1 }), [ann])
      assert.equal(await store.accounts.findByEmail(ENTERED), undefined, 'an email is found in one form')
    }),
  law('a session shows the entered email of its account')
    .protects('A user sees the same email on every page.')
    .check(async (store) => {
      const ann = await enrol(store, 'ann', { enteredEmail: ENTERED })
      const session = await logIn(store, ann)
      const found = await store.sessions.findById(session.id, NOW + SECOND)
      assert.deepEqual(found?.account, { ...ann, enteredEmail: ENTERED })
    }),
  accountLaw('a second insert with another spelling of an email is rejected and changes nothing')
    .protects('One mailbox has one account.')
    .check(async (store, ann) => {
      const again = { ...aNewAccount('ann'), enteredEmail: ENTERED }
      assert.deepEqual(await store.accounts.insert(again), { kind: 'duplicate-email' })
      assert.deepEqual(await store.accounts.page(undefined, 2), [ann])
    }),
]

const ENTERED = 'Ann@Example.ORG' as Email

/** Pages in this order list exactly the three accounts, also after the second one was removed. */
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
  await store.accounts.remove(second ?? UNKNOWN)
  assert.deepEqual(await page(second, 10), all.slice(2), 'after a removed account')
  assert.deepEqual(await page(undefined, 10), [all[0], all[2]])
}
