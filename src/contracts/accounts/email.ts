import assert from 'node:assert/strict'
import type { AccountId, Epoch } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import { assertAccount, addAccount, giveRole } from '../arrangements.js'
import { assertRace, numbersBelow } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { emailOf, UNKNOWN } from '../samples.js'

const law = lawOf('accounts')
const accountLaw = lawOf('accounts', addAccount)

/** Contract tests for `changeEmail`. */
export const emailChangeLaws: readonly Law[] = [
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
]
