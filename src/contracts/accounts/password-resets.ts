import assert from 'node:assert/strict'
import type { Epoch } from '../../domain/identity/account.js'
import { accountOf, enrol, giveRole, logIn, issueResetToken } from '../arrangements.js'
import { assertDead, assertActive } from '../active-sessions.js'
import { assertConsumes, assertVoid, accountWithReset } from '../reset-tokens.js'
import { inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import {
  aNewAccount,
  aConsumption,
  anIssuedResetToken,
  emailOf,
  hashOf,
  NOW,
  SECOND,
  UNKNOWN,
} from '../samples.js'
import { tamperWith } from '../tamper.js'

const law = lawOf('accounts')

/** How a password is reset by the reader of the account's mails. */
export const accountPasswordResetLaws: readonly Law[] = [
  law('a reset sets the hash and moves the epoch by one, of its account alone')
    .protects('Who reads the mail gets in with the new password, and who knew the old one is out.')
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
  law('a reset ends every session of the account and of no other')
    .protects('A thief is thrown out by resetting the password.')
    .check(async (store) => {
      const { account, issued } = await accountWithReset(store)
      const other = await logIn(store, await enrol(store, 'other'), 'other')
      const sessions = [await logIn(store, account, 'first'), await logIn(store, account, 'second')]
      assert.equal(await store.accounts.consumeResetToken(aConsumption(account, issued)), account.id)
      for (const session of sessions) await assertDead(store, session, NOW + SECOND)
      await assertActive(store, other, NOW + SECOND)
    }),
  law('a reset gives an account without a password its first one')
    .protects('Who was enrolled without a password can choose one.')
    .check(async (store) => {
      const { email, createdAt } = aNewAccount('ann')
      await store.accounts.insert({ email, createdAt })
      const account = await store.accounts.findByEmail(email)
      assert.ok(account)
      await assertConsumes(store, { account, issued: await issueResetToken(store, account) })
    }),
  law('a reset token is no part of the account, and ends nothing')
    .protects('Requesting a reset for an account does it no harm.')
    .check(async (store) => {
      const { account } = await accountWithReset(store)
      const session = await logIn(store, account)
      await issueResetToken(store, account, 'second')
      assert.deepEqual(await store.accounts.find(account.id), account)
      assert.deepEqual(await store.accounts.findByEmail(account.email), account)
      assert.deepEqual(await store.accounts.page(undefined, 10), [account])
      const expected = { session, account }
      assert.deepEqual(await store.sessions.find(session.current.keyDigest, NOW), expected)
      assert.deepEqual(await store.sessions.findById(session.id, NOW), expected)
    }),
  law('of 16 resets with one reset token at once exactly one succeeds')
    .protects('A link in a mail is good once, however fast the requests come.')
    .check(async (store) => {
      const { id } = await enrol(store)
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
  law('a reset token is spent by its reset')
    .protects('A link in an old mail opens nothing.')
    .check(async (store) => {
      const ann = await accountWithReset(store)
      await assertConsumes(store, ann)
      await assertVoid(store, aConsumption(ann.account, ann.issued, { hash: hashOf('second') }))
    }),
  law('a reset needs the digest of the token and the email of its account')
    .protects('A guess resets nothing, nor does the link of another account.')
    .check(async (store) => {
      const [ann, bob] = [await accountWithReset(store, 'ann'), await accountWithReset(store, 'bob')]
      await enrol(store, 'without')
      const { digest } = ann.issued
      const others = ['', digest.toUpperCase(), `${digest} `, '%', '$ne', bob.issued.digest]
      for (const other of others)
        await assertVoid(store, aConsumption(ann.account, { digest: other as typeof digest }))
      for (const name of ['bob', 'without', 'unknown', 'ANN', 'ann ', '%'])
        await assertVoid(store, aConsumption({ email: emailOf(name) }, ann.issued))
      for (const one of [ann, bob]) await assertConsumes(store, one)
    }),
  law('a reset token is in force strictly before its end')
    .protects('A mail that is found later opens nothing.')
    .check(async (store) => {
      const ann = await accountWithReset(store)
      const { until } = ann.issued
      for (const at of [until, until + 1])
        await assertVoid(store, aConsumption(ann.account, ann.issued, { at }))
      await assertConsumes(store, ann, { at: until - 1 })
    }),
  law('issueResetToken with another epoch is changed and leaves the earlier reset tokens')
    .protects('A mail that was written too late voids no better one.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await store.sessions.endAllOf(id)
      const account = await accountOf(store, id)
      const held = await issueResetToken(store, account)
      for (const epoch of [1, 3] as Epoch[]) {
        const late = anIssuedResetToken(`of epoch ${epoch}`)
        assert.equal(await store.accounts.issueResetToken(id, epoch, late), 'changed')
        await assertVoid(store, aConsumption(account, late))
      }
      assert.equal(
        await store.accounts.issueResetToken(UNKNOWN, account.epoch, anIssuedResetToken('late')),
        'changed',
      )
      await assertConsumes(store, { account, issued: held })
    }),
  law('issueResetToken of a disabled account is changed')
    .protects('A mail lifts no lock, and is worth nothing when the lock is lifted.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await store.accounts.setDisabled(id, NOW)
      const locked = await accountOf(store, id)
      const late = anIssuedResetToken('late')
      assert.equal(await store.accounts.issueResetToken(id, locked.epoch, late), 'changed')
      await assertVoid(store, aConsumption(locked, late))
      await store.accounts.setDisabled(id, undefined)
      await assertVoid(store, aConsumption(locked, late))
    }),
  law('changing a reset token that was passed in changes nothing in the store')
    .protects('Changing an object does not lengthen a reset token.')
    .check(async (store) => {
      const account = await enrol(store)
      const passedIn = anIssuedResetToken('token')
      await store.accounts.issueResetToken(account.id, account.epoch, passedIn)
      tamperWith(passedIn)
      const pristine = anIssuedResetToken('token')
      await assertVoid(store, aConsumption(account, pristine, { at: pristine.until }))
      await assertConsumes(store, { account, issued: pristine })
    }),
  law('a reset and password changes at once each move the epoch, and the last hash is one of theirs')
    .protects('No new password is half of one and half of another, and none leaves an old session.')
    .check(async (store) => {
      const { id } = await enrol(store)
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
        assert.ok(resets.length <= 1, 'the token is good once')
        assert.equal(after.epoch, account.epoch + 8 + resets.length)
        assert.ok(done.map(hash).includes(after.passwordHash ?? hashOf('none')), 'the hash is of one of them')
      })
    }),
]
