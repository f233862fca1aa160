import assert from 'node:assert/strict'
import type { AccountId, Epoch } from '../../domain/identity/account.js'
import type { PasswordHash } from '../../domain/identity/password.js'
import type { Store } from '../../ports/store.js'
import { accountOf, assertVoid, enrol, accountWithReset, logIn, assertActive } from '../arrangements.js'
import { inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aConsumption, aNewAccount, hashOf, NOW, SECOND } from '../samples.js'
import { assertEndsSessions } from './changes.js'

const law = lawOf('accounts')
const UNKNOWN = 4_000_000_001 as AccountId

/** What it does that the owner of an account changes the password. */
export const accountPasswordChangeLaws: readonly Law[] = [
  law(
    'changePassword sets the hash, moves the epoch by one and returns it',
    'Who knows only the old password is out.',
    async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      assert.equal(await change(store, ann.id, hashOf('ann'), hashOf('new')), 2)
      const expected = { ...ann, passwordHash: hashOf('new'), epoch: 2 }
      assert.deepEqual(await accountOf(store, ann.id), expected)
      assert.equal(await change(store, ann.id, hashOf('new'), hashOf('newer')), 3)
      assert.deepEqual(await accountOf(store, bob.id), bob)
    },
  ),
  law(
    'changePassword changes nothing where the hash is another one by now',
    'A new password that an operator sets is not undone by a change that was under way.',
    async (store) => {
      const before = await enrol(store)
      assert.equal(await change(store, before.id, hashOf('other'), hashOf('new')), undefined)
      assert.deepEqual(await accountOf(store, before.id), before)
      await store.accounts.setPassword(before.id, hashOf('set'))
      const after = await accountOf(store, before.id)
      const session = await logIn(store, after)
      assert.equal(await change(store, before.id, hashOf('ann'), hashOf('new')), undefined)
      assert.deepEqual(await accountOf(store, before.id), after)
      await assertActive(store, session, NOW + SECOND)
    },
  ),
  law(
    'changePassword changes nothing of an account that is disabled, unknown or has no password',
    'Who is locked out changes nothing.',
    async (store) => {
      const ann = await enrol(store)
      const { email, createdAt } = aNewAccount('without')
      assert.equal((await store.accounts.insert({ email, createdAt })).kind, 'inserted')
      const without = await store.accounts.findByEmail(email)
      await store.accounts.setDisabled(ann.id, NOW)
      const before = await accountOf(store, ann.id)
      assert.equal(await change(store, ann.id, hashOf('ann'), hashOf('new')), undefined)
      assert.deepEqual(await accountOf(store, ann.id), before)
      for (const id of [without?.id ?? UNKNOWN, UNKNOWN])
        for (const expected of [hashOf('ann'), '' as PasswordHash])
          assert.equal(await change(store, id, expected, hashOf('new')), undefined)
      assert.deepEqual(await store.accounts.findByEmail(email), without)
    },
  ),
  law(
    'changePassword ends every session of the account and of no other',
    'A thief with a session is thrown out by the owner.',
    async (store) =>
      await assertEndsSessions(store, async ({ id }) => {
        assert.equal(await change(store, id, hashOf('ann'), hashOf('new')), 2)
      }),
  ),
  law('changePassword voids a reset token', 'After a new password no mailed link works.', async (store) => {
    const { account, issued } = await accountWithReset(store)
    const { id, passwordHash = hashOf('') } = account
    assert.equal(await change(store, id, passwordHash, hashOf('new')), account.epoch + 1)
    await assertVoid(store, aConsumption(account, issued))
  }),
  law(
    'of 16 changePassword with one expected hash at once exactly one changes it',
    'Of two who change a password one is told that it is theirs.',
    async (store) => {
      const { id } = await enrol(store)
      await inRounds(async (round) => {
        const { epoch, passwordHash = hashOf('') } = await accountOf(store, id)
        const answers = await race((caller) =>
          change(store, id, passwordHash, hashOf(`round ${round} of ${caller}`)),
        )
        const winner = answers.findIndex((answer) => answer !== undefined)
        assert.deepEqual(
          answers.filter((answer) => answer !== undefined),
          [epoch + 1],
        )
        const after = await accountOf(store, id)
        assert.deepEqual(
          [after.epoch, after.passwordHash],
          [epoch + 1, hashOf(`round ${round} of ${winner}`)],
        )
      })
    },
  ),
]

async function change(
  store: Store,
  id: AccountId,
  expected: PasswordHash,
  next: PasswordHash,
): Promise<Epoch | undefined> {
  return await store.accounts.changePassword({ id, expected, next })
}
