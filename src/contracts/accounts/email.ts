import assert from 'node:assert/strict'
import type { AccountId, Epoch } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import { assertAccount, enrol, giveRole } from '../arrangements.js'
import { assertRace, numbersBelow } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { emailOf, UNKNOWN } from '../samples.js'

const law = lawOf('accounts')
const accountLaw = lawOf('accounts', enrol)

/** Another email for an account. */
export const emailChangeLaws: readonly Law[] = [
  accountLaw('changeEmail moves the account to the new email, and increases the epoch by one')
    .protects(
      'A user whose email has changed logs in with the new email alone, with the same password and roles.',
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
  accountLaw('changeEmail to the email of another account changes nothing')
    .protects('No operator joins two accounts by mistake.')
    .check(async (store, ann) => {
      const bob = await enrol(store, 'bob')
      assert.equal(await store.accounts.changeEmail({ id: ann.id, email: bob.email }), 'email-taken')
      await assertAccount(store, ann)
      await assertAccount(store, bob)
    }),
  law('16 concurrent changes to one email succeed exactly once')
    .protects('No email belongs to two accounts.')
    .inRounds(async (store, round) => {
      const ids: AccountId[] = []
      for (const caller of numbersBelow(16)) ids.push((await enrol(store, `r${round}c${caller}`)).id)
      const email = emailOf(`wanted${round}`)
      await assertRace({ changed: 1, 'email-taken': 15 }, (caller) =>
        store.accounts.changeEmail({ id: ids[caller] ?? UNKNOWN, email }),
      )
    }),
]
