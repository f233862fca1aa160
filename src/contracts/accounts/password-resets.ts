import assert from 'node:assert/strict'
import type { Epoch } from '../../domain/identity/account.js'
import { accountOf, addAccount, giveRole, issueResetToken, logIn, withoutHash } from '../arrangements.js'
import { assertConsumes, assertResetRefused, accountWithReset } from '../reset-tokens.js'
import { inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aConsumption, anIssuedResetToken, emailOf, hashOf, NOW, UNKNOWN } from '../samples.js'

const law = lawOf('accounts')
const resetLaw = lawOf('accounts', accountWithReset)
const accountLaw = lawOf('accounts', addAccount)

/** Contract laws for password resets with an emailed token. */
export const accountPasswordResetLaws: readonly Law[] = [
  law("a reset sets the hash and increases the epoch of the token's account only")
    .protects('The recipient of the email logs in with the new password, and the old password stops working.')
    .check(async (store) => {
      const bob = await accountWithReset(store, 'bob')
      const ann = await accountWithReset(store)
      await giveRole(store, ann.account, 'editor')
      const before = await accountOf(store, ann.account.id)
      const reset = await store.accounts.consumeResetToken(aConsumption(ann.account, ann.issued))
      assert.equal(reset, ann.account.id)
      const expected = { ...before, passwordHash: hashOf('reset'), epoch: 2 }
      assert.deepEqual(await store.accounts.page(undefined, 10), [bob.account, expected])
      await assertConsumes(store, bob)
    }),
  law('a reset sets the first password of an account without a password')
    .protects('A user who was added without a password can choose a password.')
    .check(async (store) => {
      const account = await withoutHash(store)
      await assertConsumes(store, { account, issued: await issueResetToken(store, account) })
    }),
  resetLaw('issuing a reset token does not change the account and ends no session')
    .protects('Requesting a password reset has no effect on the account.')
    .check(async (store, { account }) => {
      const session = await logIn(store, account)
      await issueResetToken(store, account, 'second')
      assert.deepEqual(await store.accounts.findByEmail(account.email), account)
      assert.deepEqual(await store.accounts.page(undefined, 10), [account])
      const expected = { session, account }
      assert.deepEqual(await store.sessions.find(session.current.keyDigest, NOW), expected)
      assert.deepEqual(await store.sessions.findById(session.id, NOW), expected)
    }),
  accountLaw('exactly one of 16 concurrent resets with the same token succeeds')
    .protects('A mailed link works once, even under concurrent requests.')
    .check(async (store, { id }) => {
      await inRounds(async (round) => {
        const account = await accountOf(store, id)
        const held = await issueResetToken(store, account, `token ${round}`)
        const answers = await race((caller) =>
          store.accounts.consumeResetToken(
            aConsumption(account, held, { hash: hashOf(`${round} ${caller}`) }),
          ),
        )
        const winner = answers.indexOf(id)
        assert.deepEqual(answers.toSpliced(winner, 1), new Array(15).fill(undefined))
        const expected = { passwordHash: hashOf(`${round} ${winner}`), epoch: account.epoch + 1 }
        assert.deepEqual(await accountOf(store, id), { ...account, ...expected })
      })
    }),
  law("a reset requires the digest of the token and the email of the token's account")
    .protects('Neither a guessed token nor a link for another account resets a password.')
    .check(async (store) => {
      const [ann, bob] = [await accountWithReset(store, 'ann'), await accountWithReset(store, 'bob')]
      await addAccount(store, 'without')
      const { digest } = ann.issued
      const others = ['', digest.toUpperCase(), `${digest} `, '%', '$ne', bob.issued.digest]
      for (const other of others)
        await assertResetRefused(store, aConsumption(ann.account, { digest: other as typeof digest }))
      for (const name of ['bob', 'without', 'unknown', 'ANN', 'ann ', '%'])
        await assertResetRefused(store, aConsumption({ email: emailOf(name) }, ann.issued))
      for (const one of [ann, bob]) await assertConsumes(store, one)
    }),
  resetLaw('a reset token stops working exactly when it expires')
    .protects('A mailed link that is found after its expiry does not work.')
    .check(async (store, ann) => {
      const { until } = ann.issued
      for (const at of [until, until + 1])
        await assertResetRefused(store, aConsumption(ann.account, ann.issued, { at }))
      await assertConsumes(store, ann, { at: until - 1 })
    }),
  accountLaw('issueResetToken with another epoch returns changed and keeps the earlier tokens')
    .protects('Sending an email late does not invalidate newer links.')
    .check(async (store, { id }) => {
      await store.sessions.endAllOf(id)
      const account = await accountOf(store, id)
      const held = await issueResetToken(store, account)
      for (const epoch of [1, 3] as Epoch[]) {
        const late = anIssuedResetToken(`of epoch ${epoch}`)
        assert.equal(await store.accounts.issueResetToken(id, epoch, late), 'changed')
        await assertResetRefused(store, aConsumption(account, late))
      }
      const late = anIssuedResetToken('late')
      assert.equal(await store.accounts.issueResetToken(UNKNOWN, account.epoch, late), 'changed')
      await assertConsumes(store, { account, issued: held })
    }),
  accountLaw('issueResetToken for a disabled account returns changed')
    .protects(
      'A mailed link does not enable a disabled account, and stays invalid after the account is enabled.',
    )
    .check(async (store, { id }) => {
      await store.accounts.setDisabled(id, NOW)
      const locked = await accountOf(store, id)
      const late = anIssuedResetToken('late')
      assert.equal(await store.accounts.issueResetToken(id, locked.epoch, late), 'changed')
      await assertResetRefused(store, aConsumption(locked, late))
      await store.accounts.setDisabled(id, undefined)
      await assertResetRefused(store, aConsumption(locked, late))
    }),
  accountLaw(
    'concurrent resets and password changes each increase the epoch, and the stored hash is that of one of the callers',
  )
    .protects('A password and its epoch always belong to the same caller.')
    .check(async (store, { id }) => {
      await inRounds(async (round) => {
        const account = await accountOf(store, id)
        const held = await issueResetToken(store, account, `token ${round}`)
        const hash = (caller: number) => hashOf(`${round} ${caller}`)
        const answers = await race(async (caller) =>
          caller % 4 < 2
            ? await store.accounts.consumeResetToken(aConsumption(account, held, { hash: hash(caller) }))
            : await store.accounts.setPassword(id, hash(caller)),
        )
        const done = [...answers.keys()].filter((caller) => answers[caller] !== undefined)
        const resets = answers.filter((answer) => answer === id)
        const after = await accountOf(store, id)
        assert.ok(resets.length <= 1, 'the token works once')
        assert.equal(after.epoch, account.epoch + 8 + resets.length)
        assert.ok(
          done.map(hash).includes(after.passwordHash ?? hashOf('none')),
          'the hash belongs to a caller that succeeded',
        )
      })
    }),
]
