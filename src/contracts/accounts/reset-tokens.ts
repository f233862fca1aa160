import assert from 'node:assert/strict'
import type { Account, AccountId } from '../../domain/identity/account.js'
import { RESET_TOKENS_MAX, type IssuedResetToken } from '../../domain/identity/reset-token.js'
import type { Store } from '../../ports/store.js'
import { enrol, issueResetToken, accountOf, giveRole } from '../arrangements.js'
import { assertConsumes, assertVoid, accountWithReset } from '../reset-tokens.js'
import { releaseTogether, tally, inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aConsumption, anIssuedResetToken, NOW, SECOND, hashOf } from '../samples.js'

const law = lawOf('accounts')

/** Several reset tokens of one account, and when they end. */
export const accountResetTokenLaws: readonly Law[] = [
  law('the newest three reset tokens are in force, each for its own time, and a fourth voids the first')
    .protects('A request of a stranger voids no link of the owner, and old mails do not pile up.')
    .check(async (store) => {
      const { account, issued: first } = await accountWithReset(store)
      const labels = ['second', 'third', 'fourth']
      const others: IssuedResetToken[] = []
      for (const [index, label] of labels.entries()) {
        await assertHeld(store, account, [first, ...others])
        const made = anIssuedResetToken(label, first.until - index * SECOND)
        assert.equal(await store.accounts.issueResetToken(account.id, account.epoch, made), 'issued')
        others.push(made)
      }
      await assertVoid(store, aConsumption(account, first))
      await assertHeld(store, account, others)
      const [maxDuration, ...over] = others
      assert.ok(maxDuration)
      for (const one of over)
        await assertVoid(store, aConsumption(account, one, { at: maxDuration.until - 1 }))
      await assertConsumes(store, { account, issued: maxDuration }, { at: maxDuration.until - 1 })
    }),
  law('a reset with any one of the reset tokens voids them all')
    .protects('After one link was used, the others in the mailbox are worth nothing.')
    .check(async (store) => {
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
    }),
  law('a reset token takes the place of the one of the same mail and voids no other')
    .protects('A mail that is tried again and again leaves the links of the others good.')
    .check(async (store) => {
      const { account, issued: first } = await accountWithReset(store)
      const second = await issueResetToken(store, account, 'second')
      const tries: IssuedResetToken[] = []
      for (const label of ['one', 'two', 'three', 'four']) {
        const made = { ...anIssuedResetToken(label), mailJobId: anIssuedResetToken('mail').mailJobId }
        assert.equal(await store.accounts.issueResetToken(account.id, account.epoch, made), 'issued')
        for (const before of tries) await assertVoid(store, aConsumption(account, before))
        await assertHeld(store, account, [first, second, made])
        tries.push(made)
      }
      const again = { ...anIssuedResetToken('again'), mailJobId: first.mailJobId }
      assert.equal(await store.accounts.issueResetToken(account.id, account.epoch, again), 'issued')
      await assertVoid(store, aConsumption(account, first))
      const third = await issueResetToken(store, account, 'third')
      await assertVoid(store, aConsumption(account, second))
      await assertHeld(store, account, [...tries.slice(-1), again, third])
    }),
  law('reset tokens of one account leave those of another alone')
    .protects('A request for one account voids no link of another.')
    .check(async (store) => {
      const [ann, bob] = [await accountWithReset(store, 'ann'), await accountWithReset(store, 'bob')]
      for (const label of ['second', 'third', 'fourth']) await issueResetToken(store, ann.account, label)
      await assertConsumes(store, bob)
    }),
  law('of 16 reset tokens at once exactly three are in force')
    .protects('After many requests three links work.')
    .check(async (store) => {
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
    }),
  law('another password voids a reset token')
    .protects('After a new password no mailed link works.')
    .check((store) => assertVoids(store, (id) => store.accounts.setPassword(id, hashOf('new')))),
  law('disabling voids a reset token')
    .protects('No earlier link opens a disabled account.')
    .check((store) => assertVoids(store, (id) => store.accounts.setDisabled(id, NOW))),
  law('enabling brings no reset token back')
    .protects('A link from before the lock stays worth nothing.')
    .check((store) =>
      assertVoids(store, async (id) => {
        await store.accounts.setDisabled(id, NOW)
        await store.accounts.setDisabled(id, undefined)
      }),
    ),
  law('endAllOf voids a reset token')
    .protects('Revoking everything means everything.')
    .check((store) => assertVoids(store, (id) => store.sessions.endAllOf(id))),
  law('a reset token goes with its account and does not come back with the email')
    .protects('The next owner of the address is not exposed to earlier links.')
    .check(async (store) => {
      const ann = await accountWithReset(store)
      await store.accounts.remove(ann.account.id)
      await assertVoid(store, aConsumption(ann.account, ann.issued))
      const next = await enrol(store)
      assert.equal(next.email, ann.account.email)
      await assertVoid(store, aConsumption(next, ann.issued))
    }),
  law('what moves no epoch leaves a reset token in force')
    .protects('A link works although its owner has logged in meanwhile.')
    .check(async (store) => {
      const ann = await accountWithReset(store)
      const { id } = ann.account
      assert.equal(await store.accounts.replaceHash(id, hashOf('ann'), hashOf('anew')), 'replaced')
      assert.equal(await store.accounts.setDisabled(id, undefined), 'unchanged')
      await giveRole(store, ann.account, 'editor')
      await assertConsumes(store, ann)
    }),
  law('reset tokens that race a password change are void when it is done')
    .protects('A mail that was asked for by a thief outlives no new password.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await inRounds(async (round) => {
        const account = await accountOf(store, id)
        const tokens = Array.from({ length: 16 }, (_, caller) => anIssuedResetToken(`${round} ${caller}`))
        await race((caller) =>
          caller === 8
            ? store.accounts.setPassword(id, hashOf(`${round}`))
            : store.accounts.issueResetToken(id, account.epoch, tokens[caller] ?? anIssuedResetToken('none')),
        )
        for (const one of tokens) await assertVoid(store, aConsumption(account, one))
      })
    }),
  law('resetTokenEnds tells when each reset token that is kept ends, as they were issued')
    .protects('Users can be told what is kept about them, and nothing that opens their account.')
    .check(async (store) => {
      const { id, epoch } = await enrol(store)
      const other = await enrol(store, 'other')
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

/** Each of these reset tokens would reset the password at `NOW`. */
async function assertHeld(store: Store, { email }: Account, tokens: readonly IssuedResetToken[]) {
  for (const { digest } of tokens)
    assert.equal(await store.accounts.holdsResetToken(email, digest, NOW), true)
}

/** Of two accounts with a reset token the one that is changed has none afterwards, the other has it still. */
async function assertVoids(store: Store, change: (id: AccountId) => Promise<unknown>): Promise<void> {
  const [ann, bob] = [await accountWithReset(store, 'ann'), await accountWithReset(store, 'bob')]
  await change(ann.account.id)
  await assertVoid(store, aConsumption(ann.account, ann.issued))
  await assertConsumes(store, bob)
}
