import assert from 'node:assert/strict'
import type { AccountId } from '../../domain/identity/account.js'
import type { Store } from '../../ports/store.js'
import { accountOf, assertConsumes, assertVoid, enrol, giveRole, accountWithReset } from '../arrangements.js'
import { inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aConsumption, anIssuedResetToken, hashOf, NOW } from '../samples.js'

const law = lawOf('accounts')

/** What voids a reset token, and what does not. */
export const accountResetEndLaws: readonly Law[] = [
  law(
    'another password voids a reset token',
    'After a new password no mailed link works.',
    async (store) => await assertVoids(store, (id) => store.accounts.setPassword(id, hashOf('new'))),
  ),
  law(
    'disabling voids a reset token',
    'No earlier link opens a disabled account.',
    async (store) => await assertVoids(store, (id) => store.accounts.setDisabled(id, NOW)),
  ),
  law(
    'enabling brings no reset token back',
    'A link from before the lock stays worth nothing.',
    async (store) =>
      await assertVoids(store, async (id) => {
        await store.accounts.setDisabled(id, NOW)
        await store.accounts.setDisabled(id, undefined)
      }),
  ),
  law('endAllOf voids a reset token', 'Revoking everything means everything.', async (store) => {
    await assertVoids(store, (id) => store.sessions.endAllOf(id))
  }),
  law(
    'a reset token goes with its account and does not come back with the email',
    'The next owner of the address is not exposed to earlier links.',
    async (store) => {
      const ann = await accountWithReset(store)
      await store.accounts.remove(ann.account.id)
      await assertVoid(store, aConsumption(ann.account, ann.issued))
      const next = await enrol(store)
      assert.equal(next.email, ann.account.email)
      await assertVoid(store, aConsumption(next, ann.issued))
    },
  ),
  law(
    'what moves no epoch leaves a reset token in force',
    'A link works although its owner has logged in meanwhile.',
    async (store) => {
      const ann = await accountWithReset(store)
      const { id } = ann.account
      assert.equal(await store.accounts.replaceHash(id, hashOf('ann'), hashOf('anew')), 'replaced')
      assert.equal(await store.accounts.setDisabled(id, undefined), 'unchanged')
      await giveRole(store, ann.account, 'editor')
      await assertConsumes(store, ann)
    },
  ),
  law(
    'reset tokens that race a password change are void when it is done',
    'A mail that was asked for by a thief outlives no new password.',
    async (store) => {
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
    },
  ),
]

/** Of two accounts with a reset token the one that is changed has none afterwards, the other has it still. */
async function assertVoids(store: Store, change: (id: AccountId) => Promise<unknown>): Promise<void> {
  const [ann, bob] = [await accountWithReset(store, 'ann'), await accountWithReset(store, 'bob')]
  await change(ann.account.id)
  await assertVoid(store, aConsumption(ann.account, ann.issued))
  await assertConsumes(store, bob)
}
