import assert from 'node:assert/strict'
import type { Epoch } from '../../domain/identity/account.js'
import { RESET_TOKENS_MAX } from '../../domain/identity/reset-token.js'
import { accountOf, assertActive, enrol, giveRole, logIn, loggedIn } from '../arrangements.js'
import { inRounds, race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { anIssuedResetToken, hashOf, NOW, SECOND } from '../samples.js'

const law = lawOf('accounts')

/** How an account goes by a proof that is older than it is, and what is told of its reset tokens. */
export const accountRemovalLaws: readonly Law[] = [
  law(
    'remove with an epoch takes the account only while it has that one, else nothing of it',
    'Who knew the previous password cannot delete the account any more.',
    async (store) => {
      const { account, session } = await loggedIn(store)
      await giveRole(store, account, 'editor')
      for (const epoch of [0, 2, 3]) {
        assert.equal(await store.accounts.remove(account.id, epoch as Epoch), 'unknown')
        await assertActive(store, session, NOW + SECOND)
      }
      await store.accounts.setPassword(account.id, hashOf('new'))
      const before = await accountOf(store, account.id)
      const late = await logIn(store, before, 'late')
      assert.equal(await store.accounts.remove(account.id, account.epoch), 'unknown')
      assert.deepEqual(await accountOf(store, account.id), before)
      await assertActive(store, late, NOW + SECOND)
      assert.equal(await store.accounts.remove(account.id, before.epoch), 'removed')
      assert.equal(await store.accounts.find(account.id), undefined)
    },
  ),
  law(
    'of 16 removes of one account at once exactly one removes it',
    'A deletion is audited once.',
    async (store) => {
      await inRounds(async () => {
        const { id, epoch } = await enrol(store)
        const outcomes = await race((caller) =>
          caller % 2 ? store.accounts.remove(id) : store.accounts.remove(id, epoch),
        )
        assert.deepEqual(tally(outcomes), { removed: 1, unknown: 15 })
      })
    },
  ),
  law(
    'resetTokenEnds tells when each reset token that is kept ends, as they were issued',
    'Users can be told what is kept about them, and nothing that opens their account.',
    async (store) => {
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
    },
  ),
]
