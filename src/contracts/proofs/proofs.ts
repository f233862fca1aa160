import assert from 'node:assert/strict'
import type { RoleKey } from '../../domain/access/role.js'
import type { Email } from '../../domain/identity/email.js'
import { CODE_ATTEMPTS_MAX, type Proof, type ProofRenewal } from '../../domain/identity/proof.js'
import type { Store } from '../../ports/store.js'
import { addAccount, issue, useOf } from '../arrangements.js'
import { eachInOrder, numbersBelow, race, lawOf, type Law } from '../law.js'
import { aProof, AWKWARD_STRINGS, hashOf, NOW, proofDigestOf, SECOND, UNKNOWN } from '../samples.js'

const law = lawOf('proofs')
const accountLaw = lawOf('proofs', addAccount)

/** Contract tests for the storage of email proofs. */
export const proofLaws: readonly Law[] = [
  law('find returns a proof by its digest until it expires, and changes nothing')
    .protects('An emailed link works until it expires, even if a program opens the link first.')
    .check(async (store) => {
      const [proof, other] = [await issue(store, 'login', 'one'), await issue(store, 'sign-up', 'other')]
      const { digest: _, ...waiting } = aProof('sign-up', 'waiting')
      await store.proofs.issue(waiting)
      for (const at of [NOW, proof.until - 1, NOW])
        assert.deepEqual(await store.proofs.find(useOf(proof, at)), proof)
      for (const at of [proof.until, proof.until + 1])
        assert.equal(await store.proofs.find(useOf(proof, at)), undefined)
      assert.deepEqual(await store.proofs.find(useOf(other)), other)
      assert.equal(await store.proofs.find({ digest: proofDigestOf('unknown'), at: NOW }), undefined)
    }),
  accountLaw('proofs are stored completely and unchanged, and issue replaces a proof with the same ID')
    .protects('A sign-up creates the account that was requested.')
    .check(async (store, { id: accountId, epoch }) => {
      const [binding, roles] = [proofDigestOf('browser'), ['editor', 'admin'] as RoleKey[]]
      const rest = { accountId, epoch, binding, roles, codeHash: hashOf('code'), attempts: 2 }
      for (const [index, text] of AWKWARD_STRINGS.entries()) {
        const [email, enteredEmail] = [text, `entered ${text}`] as Email[] as [Email, Email]
        const key = `key ${text}` as RoleKey
        const proof = aProof('login', `${index}`, { ...rest, email, enteredEmail, roles: [...roles, key] })
        for (const stored of [aProof('sign-up', `${index}`), { ...proof, binding: proofDigestOf(text) }]) {
          await store.proofs.issue(stored)
          assert.deepEqual(await store.proofs.find(useOf(stored)), stored)
        }
      }
    }),
  accountLaw('the removal of an account removes its proofs, and issue stores no proof for an unknown account')
    .protects('A deleted account leaves no address behind.')
    .check(async (store, { id: accountId }) => {
      const own = await issue(store, 'undo-email', 'own', { accountId })
      const other = await issue(store, 'invitation', 'other')
      await store.accounts.remove(accountId)
      for (const id of [accountId, UNKNOWN]) {
        await store.proofs.issue({ ...own, accountId: id })
        assert.deepEqual(await store.proofs.listOf(id), [])
      }
      assert.deepEqual(await store.proofs.page('undo-email', undefined, 10), [])
      assert.deepEqual(await store.proofs.find(useOf(other)), other)
    }),
  law('renew replaces the secrets and the expiry, and allows the full number of attempts again')
    .protects('Only the link and the code of the newest email work.')
    .check(async (store) => {
      const binding = proofDigestOf('browser')
      const first = await issue(store, 'login', 'one', { binding, codeHash: hashOf('first') })
      for (const _ of numbersBelow(CODE_ATTEMPTS_MAX)) await store.proofs.attempt(binding, NOW)
      const renewal = { id: first.id, until: NOW + SECOND, digest: proofDigestOf('second') }
      for (const change of [{ ...renewal, codeHash: hashOf('second') }, renewal]) {
        const { codeHash: _, ...rest } = { ...first, ...change }
        const renewed = { ...rest, ...change }
        assert.deepEqual(await store.proofs.renew(change), renewed)
        assert.deepEqual(await store.proofs.find(useOf(renewed)), renewed)
        assert.equal(await store.proofs.find(useOf(first)), undefined)
        assert.equal(await store.proofs.find(useOf(renewed, renewal.until)), undefined)
        assert.deepEqual(await store.proofs.attempt(binding, NOW), { ...renewed, attempts: 1 })
      }
      await assertGetsAccount(store, { ...first, ...renewal })
    }),
  law('renew returns undefined for a proof that was removed or used up, and does not restore the proof')
    .protects('A revoked invitation stays revoked, even if its email is sent later.')
    .check(async (store) => {
      const [used, removed] = [await issue(store, 'login', 'used'), await issue(store, 'login', 'removed')]
      assert.equal(await store.proofs.consume(useOf(used)), 'consumed')
      assert.deepEqual(await store.proofs.get(removed.id), removed)
      for (const outcome of ['removed', 'unknown'])
        assert.equal(await store.proofs.remove(removed.id, NOW), outcome)
      assert.equal(await store.proofs.remove(used.id, NOW), 'unknown')
      for (const { id, until } of [used, removed]) {
        assert.equal(await store.proofs.get(id), undefined)
        assert.equal(await store.proofs.renew({ id, until, digest: proofDigestOf('new') }), undefined)
        assert.equal(await store.proofs.find({ digest: proofDigestOf('new'), at: NOW }), undefined)
      }
    }),
  law('a browser can try the code of its proof until the proof expires or the limit of attempts is reached')
    .protects('A code cannot be guessed, and a mistyped code does not end another login.')
    .check(async (store) => {
      const [binding, late, another] = ['one', 'late', 'another'].map(proofDigestOf) as [never, never, never]
      const proof = await issue(store, 'login', '1', { binding })
      const expired = await issue(store, 'login', '2', { binding: late, until: NOW + SECOND })
      for (const at of [expired.until, expired.until + 1])
        assert.equal(await store.proofs.attempt(late, at), undefined)
      for (const number of numbersBelow(CODE_ATTEMPTS_MAX))
        assert.deepEqual(await store.proofs.attempt(binding, NOW), { ...proof, attempts: number + 1 })
      for (const digest of [binding, another, proof.digest])
        assert.equal(await store.proofs.attempt(digest ?? another, NOW), undefined)
      assert.deepEqual(await store.proofs.attempt(late, NOW), { ...expired, attempts: 1 })
      assert.equal((await store.proofs.find(useOf(proof)))?.id, proof.id, 'the link still works')
    }),
  accountLaw(
    'page returns the proofs for a purpose, and listOf returns the proofs of an account, ordered by ID',
  )
    .protects('An administrator sees every open invitation, and an owner sees every proof of the account.')
    .check(async (store, { id: accountId, epoch }) => {
      const labels = ['3', '1', '2'].map((number) => `invited ${number}`)
      const issued = await eachInOrder(labels, async (label) => await issue(store, 'invitation', label))
      const [last, first, second] = issued
      assert.ok(first && second && last)
      const change = await issue(store, 'change-email', 'b', { accountId, epoch, until: NOW - SECOND })
      const login = await issue(store, 'login', 'a', { accountId, epoch })
      const page = async (after?: Proof, limit = 10) =>
        await store.proofs.page('invitation', after?.id, limit)
      assert.deepEqual(await page(), [first, second, last])
      assert.deepEqual(await page(undefined, 2), [first, second])
      assert.deepEqual(await page(first, 1), [second])
      assert.deepEqual(await page(last), [])
      await store.accounts.setPassword(accountId, hashOf('new'))
      assert.deepEqual(await store.proofs.listOf(accountId), [login, change])
      assert.deepEqual(await store.proofs.page('change-email', undefined, 10), [change])
    }),
  law('purge removes expired proofs up to its limit')
    .protects('Unused proofs do not fill the store.')
    .check(async (store) => {
      const [, , , ...proofs] = await race(
        async (number) => await issue(store, 'sign-up', `${10 + number}`, { until: NOW + number }),
      )
      assert.equal(await store.proofs.purge(NOW - 1, 10), 0)
      assert.equal(await store.proofs.purge(NOW + 2, 2), 2)
      assert.equal(await store.proofs.purge(NOW + 2, 2), 1)
      assert.deepEqual(await store.proofs.page('sign-up', undefined, 20), proofs)
      const counts = await race(() => store.proofs.purge(NOW + 9, 10))
      assert.equal(
        counts.reduce((sum, count) => sum + count),
        7,
        'each proof is counted once',
      )
    }),
]

/** Asserts that a proof without an account gets an account when it is renewed, and is void as soon as this account's epoch changes. */
async function assertGetsAccount(store: Store, { codeHash: _, ...proof }: Proof & ProofRenewal) {
  const { id: accountId, epoch } = await addAccount(store)
  const { id, until, digest } = proof
  const named = { ...proof, accountId, epoch }
  assert.deepEqual(await store.proofs.renew({ id, until, digest, accountId, epoch }), named)
  assert.deepEqual(await store.proofs.find(useOf(named)), named)
  await store.sessions.endAllOf(accountId)
  assert.equal(await store.proofs.find(useOf(named)), undefined)
}
