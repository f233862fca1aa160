import assert from 'node:assert/strict'
import type { Account } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { Store } from '../../ports/store.js'
import { assertConsumes, enrol, issueResetToken } from '../arrangements.js'
import { lawOf, type Law } from '../law.js'
import { aNewAccount, emailOf } from '../samples.js'
import { recordsOf } from './arrangements.js'

const law = lawOf('records')
const CANONICAL = emailOf('canonical')
const FORMER = emailOf('former')

/** Laws about accounts that an earlier release made for one canonical email. */
export const sharedEmailLaws: readonly Law[] = [
  law(
    'accounts that share a canonical email are each found by their own email, and no third account is made',
    'After an upgrade no person gets into the account of another person, and each person still logs in.',
    async (store) => {
      const [ann, bob] = await sharing(store)
      const found = async (former?: Email) => await store.accounts.findByEmail(CANONICAL, former)
      assert.deepEqual(await found(FORMER), ann)
      assert.deepEqual(await found(), bob)
      assert.equal(await found(emailOf('third')), undefined, 'no account is guessed')
      assert.deepEqual(await store.accounts.page(undefined, 3), [ann, bob])
      const third = { ...aNewAccount('third'), email: CANONICAL }
      assert.deepEqual(await store.accounts.insert(third), { kind: 'duplicate-email' })
    },
  ),
  law(
    'a reset token of an account that shares its canonical email resets that account',
    'After an upgrade every reset mail still works.',
    async (store) => {
      for (const account of await sharing(store)) {
        const issued = await issueResetToken(store, account)
        await assertConsumes(store, { account: { ...account, email: CANONICAL }, issued })
      }
    },
  ),
  law(
    'the last account that shared a canonical email is found by it',
    'When the other account is deleted, a person logs in however the email is typed.',
    async (store) => {
      const [ann, bob] = await sharing(store)
      await store.accounts.remove(bob.id)
      assert.deepEqual(await store.accounts.findByEmail(CANONICAL), ann)
      const third = { ...aNewAccount('third'), email: CANONICAL }
      assert.deepEqual(await store.accounts.insert(third), { kind: 'duplicate-email' })
    },
  ),
]

/** Two accounts that share a canonical email, which is the own email of the second account. */
async function sharing(store: Store): Promise<readonly [Account, Account]> {
  const [ann, bob] = [
    { ...(await enrol(store, 'ann')), email: FORMER, sharedEmail: CANONICAL },
    { ...(await enrol(store, 'bob')), email: CANONICAL, sharedEmail: CANONICAL },
  ]
  for (const account of [ann, bob])
    assert.equal(await recordsOf(store).put('account', [{ ...account, roles: [] }]), 'put')
  return [ann, bob]
}
