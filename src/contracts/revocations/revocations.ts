import assert from 'node:assert/strict'
import type { Epoch, Account } from '../../domain/identity/account.js'
import type { SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { StatelessLogin } from '../../ports/sessions.js'
import type { Store } from '../../ports/store.js'
import { accountOf, addAccount, giveRole, accountAfter, ENDINGS } from '../arrangements.js'
import { inRounds, race, assertRace, eachInOrder, numbersBelow, sumOf, lawOf, type Law } from '../law.js'
import { assertInForce, assertRevoked, statelessLogin } from '../logins.js'
import { DAY, hashOf, NOW, SECOND, sessionIdOf, UNKNOWN } from '../samples.js'

const law = lawOf('revocations')
const accountLaw = lawOf('revocations', addAccount)
const END = NOW + DAY

/** Contract tests for logins in stateless mode that end before their tokens expire, and for purging revocations. */
export const revocationLaws: readonly Law[] = [
  accountLaw('a login of an enabled account with its current epoch is not revoked')
    .protects('A user who is logged in stays logged in.')
    .check(async (store, ann) => {
      for (const at of [0, NOW, NOW + 3_650 * DAY]) await assertInForce(store, statelessLogin(ann), at)
      await store.accounts.setPassword(ann.id, hashOf('new'))
      await assertInForce(store, statelessLogin(await accountOf(store, ann.id)), NOW)
    }),
  law('the revocation of a login is effective exactly until it expires, and does not affect other logins')
    .protects(
      "A logout affects only this device, and stays in effect until the login's last token has expired.",
    )
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      const login = statelessLogin(ann, 'one')
      await assertInForce(store, login, NOW)
      await store.revocations.revoke(login.sessionId, END)
      for (const at of [0, NOW, END - 1]) await assertRevoked(store, login, at)
      for (const other of [statelessLogin(ann, 'other'), statelessLogin(bob, 'two')])
        await assertInForce(store, other, NOW)
      for (const at of [END, END + 1]) await assertInForce(store, login, at)
    }),
  accountLaw('a second revoke is harmless, and the later expiry applies')
    .protects("A repeated logout does not fail, and does not shorten the first logout's effect.")
    .check(async (store, ann) => {
      const ends = { rising: [END, END + 2], falling: [END + 2, END], same: [END + 2, END + 2] }
      for (const [label, both] of Object.entries(ends)) {
        const login = statelessLogin(ann, label)
        for (const until of both) await store.revocations.revoke(login.sessionId, until)
        await assertRevoked(store, login, END + 1)
        await assertInForce(store, login, END + 2)
      }
      assert.equal(await store.revocations.purge(END + 1, 10), 0, 'the earlier expiry is replaced')
      assert.equal(await store.revocations.purge(END + 2, 10), 3, 'each revocation is counted once')
    }),
  accountLaw('similar ids identify different logins')
    .protects('A logout ends only the given login.')
    .check(async (store, ann) => {
      const { sessionId } = statelessLogin(ann)
      await store.revocations.revoke(sessionId, END)
      for (const id of lookingLike(sessionId)) {
        assert.notEqual(id, sessionId)
        const login = { ...statelessLogin(ann), sessionId: id }
        await assertInForce(store, login, NOW)
        await store.revocations.revoke(id, END)
        await assertRevoked(store, login, NOW)
      }
      assert.equal(await store.revocations.purge(END, 100), lookingLike(sessionId).length + 1)
    }),
  accountLaw('a login of an unknown account, or with a lower or higher epoch than its account, is revoked')
    .protects(
      'A token from an earlier epoch, from a different store or of a removed account is not accepted.',
    )
    .check(async (store, { id }) => {
      for (const _ of ['once', 'twice']) await store.sessions.endAllOf(id)
      const login = statelessLogin(await accountOf(store, id))
      assert.equal(login.epoch, 3)
      for (const epoch of [0, 1, 2, 4, 5])
        await assertRevoked(store, { ...login, epoch: epoch as Epoch }, NOW)
      await assertInForce(store, login, NOW)
      await assertRevoked(store, { ...login, accountId: UNKNOWN }, NOW)
    }),
  ...ENDINGS.map((ending) =>
    accountLaw(`${ending.name} revokes every earlier login of the account, and no other login`)
      .protects(
        'Changing the password, or disabling or removing the account, also locks out a thief with a stolen token.',
      )
      .check(async (store, ann) => {
        const other = statelessLogin(await addAccount(store, 'other'), 'other')
        const earlier = statelessLogin(ann)
        await assertInForce(store, earlier, NOW)
        await ending.end(store, ann)
        for (const at of [NOW, NOW + SECOND, NOW + 3_650 * DAY]) await assertRevoked(store, earlier, at)
        const after = await accountAfter(store, ann, ending)
        // Disabling and enabling each start a new epoch, so logins with the epoch in between are checked too.
        const { epoch: last = 3 } = after ?? {}
        for (let epoch = 0; epoch < last; epoch += 1)
          await assertRevoked(store, { ...earlier, epoch: epoch as Epoch }, NOW)
        if (after) await assertInForce(store, statelessLogin(after, 'next'), NOW)
        await assertInForce(store, other, NOW)
      }),
  ),
  accountLaw('changes that keep the epoch revoke nothing')
    .protects('A new role, a rehashed password or a command without effect does not end any login.')
    .check(async (store, ann) => {
      await store.accounts.replaceHash(ann.id, hashOf('ann'), hashOf('anew'))
      await giveRole(store, ann, 'admin')
      await store.accounts.setDisabled(ann.id, undefined)
      await assertInForce(store, statelessLogin(ann), NOW)
    }),
  accountLaw('none of 16 concurrent revokes of a login is lost, and the latest expiry applies')
    .protects('A login that several callers end stays ended.')
    .inRounds(async (store, round, ann) => {
      const login = statelessLogin(ann, `login ${round}`)
      const answers = await race(async (caller) => {
        // In this order, the latest end time is neither first nor last.
        await store.revocations.revoke(login.sessionId, END + ((caller * 7 + 4) % 16))
        return await store.revocations.isRevoked(login, NOW)
      })
      assert.deepEqual(new Set(answers), new Set([true]), 'after each call, the login is revoked')
      await assertRevoked(store, login, END + 14)
      await assertInForce(store, login, END + 15)
      assert.equal(await store.revocations.purge(END + 15, 20), 1, 'only one revocation is stored')
    }),
  accountLaw('if a login races 16 calls that end all logins, it is revoked when the first call resolves')
    .protects('A concurrent login does not survive when all logins are ended.')
    .check(async (store, { id }) => {
      await inRounds(async (round) => {
        const login = statelessLogin(await accountOf(store, id), `login ${round}`)
        const answers = await race(async (caller) => {
          if (caller % 2 === 0) await store.sessions.endAllOf(id)
          else await store.accounts.setPassword(id, hashOf(`${round} ${caller}`))
          return await store.revocations.isRevoked(login, NOW)
        })
        assert.deepEqual(new Set(answers), new Set([true]))
      })
      await assertInForce(store, statelessLogin(await accountOf(store, id)), NOW)
    }),
  accountLaw('purge removes only revocations that have ended')
    .protects('The store does not keep expired data.')
    .check(async (store, ann) => {
      const kept = await revoked(store, ann, 'kept', END + 1)
      await revoked(store, ann, 'over', END)
      await revoked(store, ann, 'long over', NOW)
      const moments = [NOW - 1, NOW, END - 1, END, END]
      const counts = await eachInOrder(moments, (at) => store.revocations.purge(at, 10))
      assert.deepEqual(counts, [0, 1, 0, 1, 0])
      await assertRevoked(store, kept, END)
      assert.equal(await store.revocations.purge(END + 1, 10), 1)
      await assertInForce(store, kept, NOW)
    }),
  accountLaw('purge does not change the result of any call at or after the time of the purge')
    .protects('Purging neither restores nor ends a login.')
    .check(async (store, ann) => {
      const bob = await addAccount(store, 'bob')
      const logins = [statelessLogin(ann, 'never revoked'), statelessLogin(bob, 'locked out')]
      for (const offset of [-DAY, -1, 0, 1, SECOND, DAY])
        logins.push(await revoked(store, ann, `until ${offset}`, END + offset))
      await store.accounts.setDisabled(bob.id, NOW)
      const before = await answersOf(store, logins)
      assert.deepEqual(before.flat().filter(Boolean).length, 10)
      assert.equal(await store.revocations.purge(END, 100), 3)
      assert.deepEqual(await answersOf(store, logins), before)
    }),
  accountLaw('16 concurrent purges count each revocation once')
    .protects('The reported number of removed records is correct.')
    .inRounds(async (store, round, ann) => {
      const labels = numbersBelow(20).map((index) => `${round} ${index}`)
      for (const label of labels) await revoked(store, ann, label, END)
      const kept = await revoked(store, ann, `${round} kept`, END + DAY)
      const counts = await race(() => store.revocations.purge(END, 3))
      const late = await store.revocations.purge(END, 100)
      assert.equal(sumOf(counts) + late, labels.length)
      assert.ok(Math.max(...counts) <= 3, 'no call exceeds its limit')
      await assertRevoked(store, kept, END)
    }),
  accountLaw('a revocation that is extended during a purge is not lost')
    .protects('Purging does not undo a logout.')
    .inRounds(async (store, round, ann) => {
      const login = await revoked(store, ann, `login ${round}`, END)
      await race<unknown>((caller) =>
        caller === 5 ? store.revocations.revoke(login.sessionId, END + 2) : store.revocations.purge(END, 10),
      )
      await assertRevoked(store, login, END + 1)
      assert.equal(await store.revocations.purge(END + 2, 10), 1)
    }),
  law('revoke reports whether the call changed anything')
    .protects('A login can be replaced by another login only once.')
    .check(async (store) => {
      const { sessionId } = statelessLogin(await addAccount(store))
      const ends = [END, END, END - 1, END + 1, END + 1]
      const outcomes = await eachInOrder(ends, (until) => store.revocations.revoke(sessionId, until))
      assert.deepEqual(outcomes, ['revoked', 'unchanged', 'unchanged', 'revoked', 'unchanged'])
    }),
  accountLaw('16 concurrent revokes of a login with the same end report one change')
    .protects('Two administrators with the same stolen token cannot both start to act as another account.')
    .inRounds(async (store, round, ann) => {
      const { sessionId } = statelessLogin(ann, `login ${round}`)
      await assertRace({ revoked: 1, unchanged: 15 }, () => store.revocations.revoke(sessionId, END))
    }),
]

/** Returns IDs that a store confuses with this ID if it trims, truncates or decodes IDs, ignores case, or treats IDs as patterns. */
function lookingLike(id: SessionId): readonly SessionId[] {
  const last = id.slice(0, -1)
  const texts = [
    ...[last, `${id}0`, `${id} `, ` ${id}`, id.toUpperCase(), id.replaceAll('-', ''), id.slice(0, 8)],
    ...[`${last}_`, `${last}%`, `${last}.`, `${id}\n`, `"${id}"`, `urn:uuid:${id}`],
    sessionIdOf('other'),
  ]
  return texts as readonly string[] as readonly SessionId[]
}

async function revoked(store: Store, account: Account, label: string, until: Instant) {
  const login = statelessLogin(account, label)
  await store.revocations.revoke(login.sessionId, until)
  return login
}

/** For each login, returns whether it is revoked at `END` and at several later instants. */
function answersOf(store: Store, logins: readonly StatelessLogin[]): Promise<readonly boolean[][]> {
  const moments = [END, END + 1, END + SECOND, END + 2 * DAY]
  return eachInOrder(logins, (login) => eachInOrder(moments, (at) => store.revocations.isRevoked(login, at)))
}
