import assert from 'node:assert/strict'
import type { AccountId } from '../../domain/identity/account.js'
import type { Email, EmailStart } from '../../domain/identity/email.js'
import { accountOf, enrol, establish, giveRole, logIn } from '../arrangements.js'
import { assertActive } from '../active-sessions.js'
import { inRounds, race, tally, tallyKinds } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aNewAccount, AWKWARD_TEXTS, emailOf, hashOf, NOW, SECOND, UNKNOWN } from '../samples.js'
import { tamperWith } from '../tamper.js'
import { walkLaws } from '../walks.js'

const law = lawOf('accounts')

export const accountLaws: readonly Law[] = [
  law('insert makes an account with epoch 1 and no roles')
    .protects('What was registered is what logs in, and no account starts with a right.')
    .check(async (store) => {
      const { id, ...account } = await enrol(store)
      assert.ok(Number.isSafeInteger(id) && id > 0, 'the id is a positive integer')
      assert.deepEqual(account, { ...aNewAccount('ann'), epoch: 1, roles: [] })
      assert.deepEqual(await store.accounts.findByEmail(account.email), { id, ...account })
    }),
  law('an account without a password has none')
    .protects('An account that never got a password is not opened with an empty one.')
    .check(async (store) => {
      await store.accounts.insert({ email: emailOf('bob'), createdAt: NOW })
      const account = await store.accounts.findByEmail(emailOf('bob'))
      assert.deepEqual(Object.keys(account ?? {}).sort(), ['createdAt', 'email', 'epoch', 'id', 'roles'])
    }),
  law('a second insert of an email is refused and changes nothing')
    .protects('Registering again does not take an account over.')
    .check(async (store) => {
      const ann = await enrol(store)
      const again = { ...aNewAccount('ann'), passwordHash: hashOf('mallory') }
      assert.deepEqual(await store.accounts.insert(again), { kind: 'duplicate-email' })
      assert.deepEqual(await store.accounts.findByEmail(ann.email), ann)
      assert.equal((await store.accounts.page(undefined, 10)).length, 1)
    }),
  law('of 16 inserts of one email at once exactly one is inserted')
    .protects('No email belongs to two accounts.')
    .inRounds(async (store, round) => {
      const answers = await race(() => store.accounts.insert(aNewAccount(`ann${round}`)))
      assert.deepEqual(tallyKinds(answers), { inserted: 1, 'duplicate-email': 15 })
      assert.equal((await store.accounts.page(undefined, 10)).length, round)
    }),
  law('an account that is not there is undefined')
    .protects('An unknown email is an answer, not an error.')
    .check(async (store) => {
      await enrol(store)
      assert.equal(await store.accounts.find(UNKNOWN), undefined)
      for (const text of [
        '',
        ...'bob@example.org % _nn@example.org $ne __proto__ ANN@example.org'.split(' '),
      ]) {
        assert.equal(await store.accounts.findByEmail(text as Email), undefined, text)
      }
    }),
  law('ids increase and are not used again after remove')
    .protects('A token of a removed account never names another one.')
    .check(async (store) => {
      const ann = await enrol(store, 'ann')
      const bob = await enrol(store, 'bob')
      assert.ok(bob.id > ann.id, 'the later one has the greater id')
      await store.accounts.remove(bob.id)
      const cid = await enrol(store, 'cid')
      assert.ok(cid.id > bob.id, 'the id of the removed one is spent')
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
  law('every read gives the roles in the order of their keys')
    .protects('A new role is seen at the next read of the account, and replies keep their order.')
    .check(async (store) => {
      const ann = await enrol(store)
      const writer = await giveRole(store, ann, 'writer')
      const editor = await giveRole(store, ann, 'editor')
      const owner = await giveRole(store, ann, 'owner')
      const expected = { ...ann, roles: [editor, owner, writer] }
      assert.deepEqual(await store.accounts.find(ann.id), expected)
      assert.deepEqual(await store.accounts.findByEmail(ann.email), expected)
      assert.deepEqual(await store.accounts.page(undefined, 1), [expected])
    }),
  law('pages walk over all accounts in ascending order')
    .protects('A list of accounts leaves none out and shows none twice.')
    .check(async (store) => {
      const all = [await enrol(store, 'ann'), await enrol(store, 'bob'), await enrol(store, 'cid')]
      const [ann, bob, cid] = all.map((account) => account.id)
      assert.deepEqual(await store.accounts.page(undefined, 10), all)
      assert.deepEqual(await store.accounts.page(undefined, 2), all.slice(0, 2))
      assert.deepEqual(await store.accounts.page(ann, 1), all.slice(1, 2))
      assert.deepEqual(await store.accounts.page(bob, 10), all.slice(2))
      assert.deepEqual(await store.accounts.page(cid, 10), [])
      await store.accounts.remove(bob ?? UNKNOWN)
      assert.deepEqual(await store.accounts.page(bob, 10), all.slice(2), 'after one that is gone')
      assert.deepEqual(await store.accounts.page(undefined, 10), [all[0], all[2]])
    }),
  law('pages walk back over all accounts where the newest come first')
    .protects('The accounts of today are found without reading those of all years.')
    .check(async (store) => {
      const all = [await enrol(store, 'ann'), await enrol(store, 'bob'), await enrol(store, 'cid')]
      const [ann, bob, cid] = all.map((account) => account.id)
      const back = all.toReversed()
      const page = async (after: AccountId | undefined, limit: number) =>
        await store.accounts.page(after, limit, 'newest-first')
      assert.deepEqual(await page(undefined, 10), back)
      assert.deepEqual(await page(undefined, 2), back.slice(0, 2))
      assert.deepEqual(await page(cid, 1), back.slice(1, 2))
      assert.deepEqual(await page(bob, 10), back.slice(2))
      assert.deepEqual(await page(ann, 10), [])
      await store.accounts.remove(bob ?? UNKNOWN)
      assert.deepEqual(await page(bob, 10), back.slice(2), 'behind one that is gone')
      assert.deepEqual(await page(undefined, 10), [all[2], all[0]])
      assert.deepEqual(await store.accounts.page(undefined, 10, 'oldest-first'), [all[0], all[2]])
    }),
  law('replaceHash writes over the expected hash only')
    .protects('Hashing an old password anew does not undo a change of the password.')
    .check(async (store) => {
      const { id } = await enrol(store)
      assert.equal(await store.accounts.replaceHash(id, hashOf('other'), hashOf('new')), 'changed')
      assert.equal((await accountOf(store, id)).passwordHash, hashOf('ann'))
      assert.equal(await store.accounts.replaceHash(id, hashOf('ann'), hashOf('new')), 'replaced')
      assert.equal((await accountOf(store, id)).passwordHash, hashOf('new'))
      assert.equal(await store.accounts.replaceHash(UNKNOWN, hashOf('ann'), hashOf('new')), 'changed')
    }),
  law('replaceHash moves no epoch and ends no session')
    .protects('A user whose hash is brought up to date at login stays logged in.')
    .check(async (store) => {
      const ann = await enrol(store)
      const session = await logIn(store, ann)
      await store.accounts.replaceHash(ann.id, hashOf('ann'), hashOf('new'))
      assert.equal((await accountOf(store, ann.id)).epoch, ann.epoch)
      await assertActive(store, session, NOW + SECOND)
    }),
  law('of 16 replaceHash with one expected hash at once exactly one replaces')
    .protects('The hash that stays is one whose writer was told so.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await inRounds(async (round) => {
        const expected = hashOf(`round ${round}`)
        await store.accounts.setPassword(id, expected)
        const answers = await race((caller) =>
          store.accounts.replaceHash(id, expected, hashOf(`${round} ${caller}`)),
        )
        assert.deepEqual(tally(answers), { replaced: 1, changed: 15 })
        const winner = hashOf(`${round} ${answers.indexOf('replaced')}`)
        assert.equal((await accountOf(store, id)).passwordHash, winner)
      })
    }),
  law('changing what was passed in or handed out changes nothing in the store')
    .protects('A caller that reuses an object does not write to the store by accident.')
    .check(async (store) => {
      const editor = await establish(store, 'editor')
      const draft = { ...aNewAccount('ann'), roles: [editor.key] }
      await store.accounts.insert(draft)
      const ann = await store.accounts.findByEmail(emailOf('ann'))
      assert.ok(ann)
      const before = structuredClone(await accountOf(store, ann.id))
      tamperWith(draft)
      tamperWith(await store.accounts.find(ann.id))
      tamperWith(await store.accounts.findByEmail(emailOf('ann')))
      tamperWith(await store.accounts.page(undefined, 10))
      for (const search of [{}, { role: editor.key }])
        tamperWith(await store.accounts.search({ ...search, limit: 10 }))
      assert.deepEqual([before.passwordHash, before.roles], [hashOf('ann'), [editor]])
      assert.deepEqual(await store.accounts.find(ann.id), before)
      assert.deepEqual(await store.accounts.findByEmail(emailOf('ann')), before)
    }),
  law('emails and hashes are kept exactly')
    .protects('No address means another one, and no text is taken for a command.')
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
  law('an account is found by its canonical email, and keeps the email as it was entered')
    .protects('A person logs in however the email is typed, and sees it as it was entered.')
    .check(async (store) => {
      const answer = await store.accounts.insert({ ...aNewAccount('ann'), enteredEmail: ENTERED })
      assert.ok(answer.kind === 'inserted')
      const expected = { ...aNewAccount('ann'), enteredEmail: ENTERED, id: answer.id, epoch: 1, roles: [] }
      assert.deepEqual(await store.accounts.find(answer.id), expected)
      assert.deepEqual(await store.accounts.findByEmail(emailOf('ann')), expected)
      assert.deepEqual(await store.accounts.page(undefined, 1), [expected])
      assert.deepEqual(await store.accounts.search({ start: 'ann@' as EmailStart, limit: 1 }), [expected])
      assert.equal(await store.accounts.findByEmail(ENTERED), undefined, 'an email is found in one form')
    }),
  law('a login shows the email of its account as it was entered')
    .protects('A person sees one email on every page.')
    .check(async (store) => {
      await store.accounts.insert({ ...aNewAccount('ann'), enteredEmail: ENTERED })
      const ann = await store.accounts.findByEmail(emailOf('ann'))
      assert.ok(ann)
      const session = await logIn(store, ann)
      const found = await store.sessions.findById(session.id, NOW + SECOND)
      assert.deepEqual(found?.account, { ...ann, enteredEmail: ENTERED })
    }),
  law('a second insert of an email that was entered in another way is refused and changes nothing')
    .protects('One mailbox has one account.')
    .check(async (store) => {
      const ann = await enrol(store)
      const again = { ...aNewAccount('ann'), enteredEmail: ENTERED }
      assert.deepEqual(await store.accounts.insert(again), { kind: 'duplicate-email' })
      assert.deepEqual(await store.accounts.page(undefined, 2), [ann])
    }),
]

const ENTERED = 'Ann@Example.ORG' as Email
