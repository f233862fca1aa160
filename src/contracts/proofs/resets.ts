import assert from 'node:assert/strict'
import type { Account, Epoch } from '../../domain/identity/account.js'
import { RESET_PROOFS_MAX, type Proof } from '../../domain/identity/proof.js'
import type { Store } from '../../ports/store.js'
import {
  accountOf,
  addAccount,
  assertAccount,
  giveRole,
  logIn,
  withoutHash,
  issueReset,
  useOf,
} from '../arrangements.js'
import { assertRace, eachInOrder, numbersBelow, race, lawOf, type Law } from '../law.js'
import { assertActive, assertInactive } from '../logins.js'
import { hashOf, NOW, SECOND } from '../samples.js'

const law = lawOf('proofs')
const accountLaw = lawOf('proofs', addAccount)

/** Contract tests for password resets by email. */
export const proofResetLaws: readonly Law[] = [
  accountLaw('resetPassword sets the hash, increases the epoch and ends the sessions of its account only')
    .protects('After a reset, only the recipient of the email can log in.')
    .check(async (store, before) => {
      await giveRole(store, before, 'editor')
      const [ann, bob] = [await accountOf(store, before.id), await addAccount(store, 'bob')]
      const [own, other] = [await logIn(store, ann, 'own'), await logIn(store, bob, 'other')]
      const [reset, another] = [await issueReset(store, ann), await issueReset(store, bob)]
      await assertActive(store, own, NOW)
      assert.equal(await store.proofs.resetPassword(useOf(reset), hashOf('reset')), ann.id)
      await assertAccount(store, { ...ann, passwordHash: hashOf('reset'), epoch: 2 as Epoch })
      await assertInactive(store, own, NOW)
      await assertActive(store, other, NOW)
      await assertAccount(store, bob)
      assert.deepEqual(await store.proofs.find(useOf(another)), another)
    }),
  law('resetPassword sets the password of an account that has none')
    .protects('A user who was added without a password can choose a password.')
    .check(async (store) => {
      const account = await withoutHash(store)
      const reset = await issueReset(store, account)
      assert.equal(await store.proofs.resetPassword(useOf(reset), hashOf('first')), account.id)
      await assertAccount(store, { ...account, passwordHash: hashOf('first'), epoch: 2 as Epoch })
    }),
  accountLaw("of an account's reset proofs with the current epoch, only the three that expire last are valid")
    .protects("A stranger's request does not invalidate the owner's link, and old links do not accumulate.")
    .check(async (store, ann) => {
      const bob = await issueReset(store, await addAccount(store, 'bob'))
      const proofs = await issueMany(store, ann, [5, 4, 3])
      await assertValid(store, [bob, ...proofs])
      const stale = { ...ann, epoch: (ann.epoch + 1) as Epoch }
      for (const late of await issueMany(store, stale, [9, 8, 7]))
        assert.equal(await store.proofs.find(useOf(late)), undefined)
      await assertValid(store, [bob, ...proofs])
      const [fourth] = await issueMany(store, ann, [4], 'fourth')
      const superseded = proofs.pop()
      assert.ok(fourth && superseded)
      assert.equal(await store.proofs.find(useOf(superseded)), undefined)
      assert.equal(await store.proofs.resetPassword(useOf(superseded), hashOf('no')), 'spent')
      await assertValid(store, [bob, ...proofs, fourth])
      const { length } = await store.proofs.listOf(ann.id)
      assert.ok(length >= RESET_PROOFS_MAX, 'the valid proofs are listed')
    }),
  accountLaw('a reset with any proof removes all reset proofs of its account')
    .protects('Once one link has been used, the other links in the mailbox no longer work.')
    .check(async (store, { id }) => {
      const other = await issueReset(store, await addAccount(store, 'bob'))
      for (const used of numbersBelow(RESET_PROOFS_MAX)) {
        const proofs = await issueMany(store, await accountOf(store, id), [1, 2, 3], `${used}`)
        const proof = proofs[used] ?? assert.fail()
        assert.equal(await store.proofs.resetPassword(useOf(proof), hashOf(`${used}`)), id)
        assert.deepEqual(await store.proofs.listOf(id), [])
        for (const one of proofs)
          assert.equal(await store.proofs.resetPassword(useOf(one), hashOf('no')), 'spent')
        assert.equal((await accountOf(store, id)).passwordHash, hashOf(`${used}`))
      }
      assert.deepEqual(await store.proofs.find(useOf(other)), other)
    }),
  accountLaw('exactly three of 16 concurrently issued reset proofs are valid')
    .protects('After many concurrent requests, exactly three links work.')
    .inRounds(async (store, _, ann) => {
      const proofs = await race(async (caller) => await issueReset(store, ann, `${caller}`))
      const found = await eachInOrder(proofs, async (proof) => await store.proofs.find(useOf(proof)))
      assert.equal(found.filter((proof) => proof).length, RESET_PROOFS_MAX)
    }),
  accountLaw('exactly one of 16 concurrent resets with different proofs succeeds')
    .protects('The stored password comes from the request that succeeded.')
    .inRounds(async (store, round, ann) => {
      const proofs = await issueMany(store, ann, [1, 2, 3], `${round}`)
      const hash = (caller: number) => hashOf(`${round} ${caller}`)
      const answers = await assertRace({ spent: 15, reset: 1 }, async (caller) => {
        const use = useOf(proofs[caller % proofs.length] ?? assert.fail())
        const answer = await store.proofs.resetPassword(use, hash(caller))
        return answer === 'spent' ? answer : 'reset'
      })
      const winner = answers.indexOf('reset')
      const epoch = (ann.epoch + 1) as Epoch
      await assertAccount(store, { ...ann, passwordHash: hash(winner), epoch })
    }),
  accountLaw('each successful concurrent reset or password change increases the epoch and sets one hash')
    .protects('The stored password and epoch always come from the same call.')
    .inRounds(async (store, round, { id, epoch }) => {
      const reset = await issueReset(store, await accountOf(store, id))
      const hash = (caller: number) => hashOf(`${round} ${caller}`)
      const answers = await race(async (caller) =>
        caller % 4 < 2
          ? await store.proofs.resetPassword(useOf(reset), hash(caller))
          : await store.accounts.setPassword(id, hash(caller)),
      )
      const resets = answers.filter((answer) => answer === id).length
      assert.ok(resets <= 1, 'the proof works once')
      const after = await accountOf(store, id)
      assert.equal(after.epoch, epoch + 8 + resets)
      const hashes = answers.map((answer, caller) => (answer === 'spent' ? undefined : hash(caller)))
      assert.ok(hashes.includes(after.passwordHash), 'the hash belongs to a caller that succeeded')
    }),
]

/** Issues one proof for each element of `seconds`; the element determines when its proof expires. */
async function issueMany(
  store: Store,
  account: Account,
  seconds: readonly number[],
  label = '',
): Promise<Proof[]> {
  return await eachInOrder(seconds, async (second) => {
    const until = NOW + second * SECOND
    return await issueReset(store, account, `${account.epoch} ${label} ${second}`, { until })
  })
}

async function assertValid(store: Store, proofs: readonly Proof[]): Promise<void> {
  for (const proof of proofs) assert.deepEqual(await store.proofs.find(useOf(proof)), proof)
}
