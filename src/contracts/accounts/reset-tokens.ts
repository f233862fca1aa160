import assert from 'node:assert/strict'
import type { Account } from '../../domain/identity/account.js'
import type { IssuedResetToken } from '../../domain/identity/reset-token.js'
import type { Instant } from '../../domain/instant.js'
import type { Store } from '../../ports/store.js'
import { assertConsumes, assertVoid, enrol, accountWithReset, issueResetToken } from '../arrangements.js'
import { releaseTogether, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aConsumption, anIssuedResetToken, NOW, SECOND } from '../samples.js'

const law = lawOf('accounts')

/** Several reset tokens of one account, and what becomes of them. */
export const accountResetTokenLaws: readonly Law[] = [
  law(
    'the newest three reset tokens are in force, each for its own time, and a fourth voids the first',
    "A stranger who asks voids no link that the owner is about to use, and old mails don't pile up.",
    async (store) => {
      const { account, issued: first } = await accountWithReset(store)
      const labels = ['second', 'third', 'fourth']
      const others: IssuedResetToken[] = []
      for (const [index, label] of labels.entries()) {
        await assertHeld(store, account, [first, ...others], NOW)
        const made = anIssuedResetToken(label, first.until - index * SECOND)
        assert.equal(await store.accounts.issueResetToken(account.id, account.epoch, made), 'issued')
        others.push(made)
      }
      await assertVoid(store, aConsumption(account, first))
      await assertHeld(store, account, others, NOW)
      const [maxDuration, ...over] = others
      assert.ok(maxDuration)
      for (const one of over)
        await assertVoid(store, aConsumption(account, one, { at: maxDuration.until - 1 }))
      await assertConsumes(store, { account, issued: maxDuration }, { at: maxDuration.until - 1 })
    },
  ),
  law(
    'a reset with any one of the reset tokens voids them all',
    'After one link was used, the others in the mailbox are worth nothing.',
    async (store) => {
      for (const used of [0, 1, 2]) {
        const account = await enrol(store, `ann ${used}`)
        const tokens = [
          await issueResetToken(store, account, 'first'),
          await issueResetToken(store, account, 'second'),
        ]
        tokens.push(await issueResetToken(store, account, 'third'))
        const issued = tokens[used]
        assert.ok(issued)
        await assertConsumes(store, { account, issued })
        for (const one of tokens) await assertVoid(store, aConsumption(account, one))
      }
    },
  ),
  law(
    'a reset token takes the place of the one of the same mail and voids no other',
    'A mail that is tried again and again leaves the links of the others good.',
    async (store) => {
      const { account, issued: first } = await accountWithReset(store)
      const second = await issueResetToken(store, account, 'second')
      const tries: IssuedResetToken[] = []
      for (const label of ['one', 'two', 'three', 'four']) {
        const made = { ...anIssuedResetToken(label), mailJobId: anIssuedResetToken('mail').mailJobId }
        assert.equal(await store.accounts.issueResetToken(account.id, account.epoch, made), 'issued')
        for (const before of tries) await assertVoid(store, aConsumption(account, before))
        await assertHeld(store, account, [first, second, made], NOW)
        tries.push(made)
      }
      const again = { ...anIssuedResetToken('again'), mailJobId: first.mailJobId }
      assert.equal(await store.accounts.issueResetToken(account.id, account.epoch, again), 'issued')
      await assertVoid(store, aConsumption(account, first))
      const third = await issueResetToken(store, account, 'third')
      await assertVoid(store, aConsumption(account, second))
      await assertHeld(store, account, [...tries.slice(-1), again, third], NOW)
    },
  ),
  law(
    'reset tokens of one account leave those of another alone',
    'A request for one account voids no link of another.',
    async (store) => {
      const [ann, bob] = [await accountWithReset(store, 'ann'), await accountWithReset(store, 'bob')]
      for (const label of ['second', 'third', 'fourth']) await issueResetToken(store, ann.account, label)
      await assertConsumes(store, bob)
    },
  ),
  law(
    'of 16 reset tokens at once exactly three are in force',
    'After many requests three links work.',
    async (store) => {
      const account = await enrol(store)
      const tokens = Array.from({ length: 16 }, (_, caller) => anIssuedResetToken(`${caller}`))
      const answers = await releaseTogether(
        tokens.map((one) => () => store.accounts.issueResetToken(account.id, account.epoch, one)),
      )
      assert.deepEqual(tally(answers), { issued: 16 })
      const held = await Promise.all(
        tokens.map((one) => store.accounts.holdsResetToken(account.email, one.digest, NOW)),
      )
      assert.deepEqual(tally(held.map(String)), { true: 3, false: 13 })
    },
  ),
]

/** Each of these reset tokens would reset the password at this moment. */
async function assertHeld(
  store: Store,
  { email }: Account,
  tokens: readonly IssuedResetToken[],
  at: Instant,
): Promise<void> {
  for (const { digest } of tokens) assert.equal(await store.accounts.holdsResetToken(email, digest, at), true)
}
