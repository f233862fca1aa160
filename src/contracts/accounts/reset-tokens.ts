import assert from 'node:assert/strict'
import type { Account } from '../../domain/identity/account.js'
import { RESET_TOKENS_MAX, type IssuedResetToken } from '../../domain/identity/reset-token.js'
import type { Store } from '../../ports/store.js'
import { addAccount, issueResetToken, accountOf, giveRole } from '../arrangements.js'
import { assertConsumes, assertResetRefused, accountWithReset } from '../reset-tokens.js'
import { ENDINGS } from '../endings.js'
import { inRounds, eachInOrder, numbersBelow, race, startTogether, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aConsumption, anIssuedResetToken, NOW, SECOND, hashOf } from '../samples.js'

const law = lawOf('accounts')
const resetLaw = lawOf('accounts', accountWithReset)
const accountLaw = lawOf('accounts', addAccount)

/** Contract laws for several reset tokens of the same account, and for their expiry. */
export const accountResetTokenLaws: readonly Law[] = [
  resetLaw('the newest three reset tokens work until each expires, and a fourth token invalidates the first')
    .protects("A stranger's request does not invalidate the owner's link, and old links do not accumulate.")
    .check(async (store, { account, issued: first }) => {
      const labels = ['second', 'third', 'fourth']
      const others: IssuedResetToken[] = []
      for (const [index, label] of labels.entries()) {
        await assertHeld(store, account, [first, ...others])
        const made = anIssuedResetToken(label, first.until - index * SECOND)
        assert.equal(await store.accounts.issueResetToken(account.id, account.epoch, made), 'issued')
        others.push(made)
      }
      await assertResetRefused(store, aConsumption(account, first))
      await assertHeld(store, account, others)
      const [maxDuration, ...over] = others
      assert.ok(maxDuration)
      for (const one of over)
        await assertResetRefused(store, aConsumption(account, one, { at: maxDuration.until - 1 }))
      await assertConsumes(store, { account, issued: maxDuration }, { at: maxDuration.until - 1 })
    }),
  law('a reset with any reset token of an account invalidates all reset tokens of that account')
    .protects('Once one link has been used, the other links in the mailbox no longer work.')
    .check(async (store) => {
      for (const used of [0, 1, 2]) {
        const account = await addAccount(store, `ann ${used}`)
        const labels = ['first', 'second', 'third']
        const tokens = await eachInOrder(labels, (label) => issueResetToken(store, account, label))
        const issued = tokens[used] ?? assert.fail()
        await assertConsumes(store, { account, issued })
        for (const one of tokens) await assertResetRefused(store, aConsumption(account, one))
      }
    }),
  resetLaw('a new reset token for the same email job invalidates only the previous token of that job')
    .protects('Retries of one email keep the links in other emails valid.')
    .check(async (store, { account, issued: first }) => {
      const second = await issueResetToken(store, account, 'second')
      const tries: IssuedResetToken[] = []
      for (const label of ['one', 'two', 'three', 'four']) {
        const made = { ...anIssuedResetToken(label), mailJobId: anIssuedResetToken('mail').mailJobId }
        assert.equal(await store.accounts.issueResetToken(account.id, account.epoch, made), 'issued')
        for (const before of tries) await assertResetRefused(store, aConsumption(account, before))
        await assertHeld(store, account, [first, second, made])
        tries.push(made)
      }
      const again = { ...anIssuedResetToken('again'), mailJobId: first.mailJobId }
      assert.equal(await store.accounts.issueResetToken(account.id, account.epoch, again), 'issued')
      await assertResetRefused(store, aConsumption(account, first))
      const third = await issueResetToken(store, account, 'third')
      await assertResetRefused(store, aConsumption(account, second))
      await assertHeld(store, account, [...tries.slice(-1), again, third])
    }),
  law('the reset tokens of one account do not affect another account')
    .protects('A request for one account does not invalidate a link for another account.')
    .check(async (store) => {
      const [ann, bob] = [await accountWithReset(store, 'ann'), await accountWithReset(store, 'bob')]
      for (const label of ['second', 'third', 'fourth']) await issueResetToken(store, ann.account, label)
      await assertConsumes(store, bob)
    }),
  accountLaw('exactly three of 16 concurrently issued reset tokens work')
    .protects('After many concurrent requests, exactly three links work.')
    .check(async (store, account) => {
      const tokens = numbersBelow(16).map((caller) => anIssuedResetToken(`${caller}`))
      const answers = await startTogether(
        tokens.map((one) => () => store.accounts.issueResetToken(account.id, account.epoch, one)),
      )
      assert.deepEqual(tally(answers), { issued: 16 })
      const held = await Promise.all(
        tokens.map((one) => store.accounts.holdsResetToken(account.email, one.digest, NOW)),
      )
      assert.deepEqual(tally(held.map(String)), { true: 3, false: 13 })
    }),
  ...ENDINGS.map(({ name, end }) =>
    law(`${name} invalidates the reset tokens of the affected account only`)
      .protects('No mailed link works after a new password, after disabling, or after a logout everywhere.')
      .check(async (store) => {
        const [ann, bob] = [await accountWithReset(store, 'ann'), await accountWithReset(store, 'bob')]
        await end(store, ann.account)
        await assertResetRefused(store, aConsumption(ann.account, ann.issued))
        await assertConsumes(store, bob)
      }),
  ),
  resetLaw('a reset token survives changes that keep the epoch')
    .protects('A link still works if its owner has logged in since.')
    .check(async (store, ann) => {
      const { id } = ann.account
      assert.equal(await store.accounts.replaceHash(id, hashOf('ann'), hashOf('anew')), 'replaced')
      assert.equal(await store.accounts.setDisabled(id, undefined), 'unchanged')
      await giveRole(store, ann.account, 'editor')
      await assertConsumes(store, ann)
    }),
  accountLaw('a password change invalidates reset tokens that are issued concurrently')
    .protects('A link that a thief requested does not work after a new password.')
    .check(async (store, { id }) => {
      await inRounds(async (round) => {
        const account = await accountOf(store, id)
        const tokens = numbersBelow(16).map((caller) => anIssuedResetToken(`${round} ${caller}`))
        await race((caller) =>
          caller === 8
            ? store.accounts.setPassword(id, hashOf(`${round}`))
            : store.accounts.issueResetToken(id, account.epoch, tokens[caller] ?? anIssuedResetToken('none')),
        )
        for (const one of tokens) await assertResetRefused(store, aConsumption(account, one))
      })
    }),
  accountLaw('resetTokenEnds lists when the stored reset tokens expire, in the order of issue')
    .protects('Users can learn which data about them is stored, without a secret that opens their account.')
    .check(async (store, { id, epoch }) => {
      const other = await addAccount(store, 'other')
      assert.deepEqual(await store.accounts.resetTokenEnds(id), [])
      const issue = async (label: string, until: number) =>
        await store.accounts.issueResetToken(id, epoch, anIssuedResetToken(label, until))
      for (const count of [5, 1, 3]) await issue(`mail ${count}`, NOW + count)
      assert.deepEqual(await store.accounts.resetTokenEnds(id), [NOW + 5, NOW + 1, NOW + 3])
      await issue('mail 5', NOW + 9)
      for (let count = 0; count < RESET_TOKENS_MAX - 1; count += 1) await issue(`more ${count}`, NOW + count)
      const kept = await store.accounts.resetTokenEnds(id)
      assert.equal(kept.length, RESET_TOKENS_MAX)
      assert.deepEqual(kept, [NOW + 9, ...kept.slice(1).map((_, count) => NOW + count)])
      assert.deepEqual(await store.accounts.resetTokenEnds(other.id), [])
      await store.accounts.remove(id)
      assert.deepEqual(await store.accounts.resetTokenEnds(id), [])
    }),
]

/** Asserts that each of these reset tokens can reset the password at `NOW`. */
async function assertHeld(store: Store, { email }: Account, tokens: readonly IssuedResetToken[]) {
  for (const { digest } of tokens)
    assert.equal(await store.accounts.holdsResetToken(email, digest, NOW), true)
}
