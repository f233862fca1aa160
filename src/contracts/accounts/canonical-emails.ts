import assert from 'node:assert/strict'
import type { Email, EmailStart } from '../../domain/identity/email.js'
import { enrol, logIn } from '../arrangements.js'
import { lawOf, type Law } from '../law.js'
import { aNewAccount, emailOf, NOW, SECOND } from '../samples.js'

const law = lawOf('accounts')
const ENTERED = 'Ann@Example.ORG' as Email

/** Laws about the canonical email and the email as it was entered. */
export const accountEmailLaws: readonly Law[] = [
  law(
    'an account is found by its canonical email, and keeps the email as it was entered',
    'A person logs in however the email is typed, and sees it as it was entered.',
    async (store) => {
      const answer = await store.accounts.insert({ ...aNewAccount('ann'), enteredEmail: ENTERED })
      assert.ok(answer.kind === 'inserted')
      const expected = { ...aNewAccount('ann'), enteredEmail: ENTERED, id: answer.id, epoch: 1, roles: [] }
      assert.deepEqual(await store.accounts.find(answer.id), expected)
      assert.deepEqual(await store.accounts.findByEmail(emailOf('ann')), expected)
      assert.deepEqual(await store.accounts.page(undefined, 1), [expected])
      assert.deepEqual(await store.accounts.search({ start: 'ann@' as EmailStart, limit: 1 }), [expected])
      assert.equal(await store.accounts.findByEmail(ENTERED), undefined, 'an email is found in one form')
    },
  ),
  law(
    'a login shows the email of its account as it was entered',
    'A person sees one email on every page.',
    async (store) => {
      await store.accounts.insert({ ...aNewAccount('ann'), enteredEmail: ENTERED })
      const ann = await store.accounts.findByEmail(emailOf('ann'))
      assert.ok(ann)
      const session = await logIn(store, ann)
      const found = await store.sessions.findById(session.id, NOW + SECOND)
      assert.deepEqual(found?.account, { ...ann, enteredEmail: ENTERED })
    },
  ),
  law(
    'a second insert of an email that was entered in another way is refused and changes nothing',
    'One mailbox has one account.',
    async (store) => {
      const ann = await enrol(store)
      const again = { ...aNewAccount('ann'), enteredEmail: ENTERED }
      assert.deepEqual(await store.accounts.insert(again), { kind: 'duplicate-email' })
      assert.deepEqual(await store.accounts.page(undefined, 2), [ann])
    },
  ),
]
