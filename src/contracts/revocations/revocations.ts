import assert from 'node:assert/strict'
import type { Account, Epoch } from '../../domain/identity/account.js'
import type { SessionId } from '../../domain/identity/session.js'
import type { StatelessLogin } from '../../ports/revocations.js'
import type { Store } from '../../ports/store.js'
import { accountOf, enrol, giveRole } from '../arrangements.js'
import { assertInForce, assertRevoked, statelessLogin } from '../stateless-logins.js'
import { inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { DAY, hashOf, NOW, SECOND, sessionIdOf, UNKNOWN } from '../samples.js'

const law = lawOf('revocations')
const END = NOW + DAY

/** Which logins of stateless mode are over before their tokens are. */
export const revocationLaws: readonly Law[] = [
  law('a login of an active account in its epoch is not revoked')
    .protects('An active login is accepted.')
    .check(async (store) => {
      const ann = await enrol(store)
      for (const at of [0, NOW, NOW + 3_650 * DAY]) await assertInForce(store, statelessLogin(ann), at)
      await store.accounts.setPassword(ann.id, hashOf('new'))
      await assertInForce(store, statelessLogin(await accountOf(store, ann.id)), NOW)
    }),
  law('a revocation holds strictly before its end')
    .protects('A login that was ended stays ended, for as long as a token of it is good.')
    .check(async (store) => {
      const login = statelessLogin(await enrol(store))
      await assertInForce(store, login, NOW)
      await store.revocations.revoke(login.sessionId, END)
      for (const at of [0, NOW, END - 1]) await assertRevoked(store, login, at)
      for (const at of [END, END + 1]) await assertInForce(store, login, at)
    }),
  law('revoke ends this login and no other')
    .protects('Logging out logs out on this device, and on no other.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      const login = statelessLogin(ann, 'one')
      await store.revocations.revoke(login.sessionId, END)
      await assertRevoked(store, login, NOW)
      for (const other of [statelessLogin(ann, 'other'), statelessLogin(bob, 'two')])
        await assertInForce(store, other, NOW)
      assert.deepEqual(await accountOf(store, ann.id), ann)
    }),
  law('revoking twice is harmless and the later end counts')
    .protects('A logout that is sent again neither fails nor shortens the first one.')
    .check(async (store) => {
      const ann = await enrol(store)
      const ends = { rising: [END, END + 2], falling: [END + 2, END], same: [END + 2, END + 2] }
      for (const [label, both] of Object.entries(ends)) {
        const login = statelessLogin(ann, label)
        for (const until of both) await store.revocations.revoke(login.sessionId, until)
        await assertRevoked(store, login, END + 1)
        await assertInForce(store, login, END + 2)
      }
      assert.equal(await store.revocations.purge(END + 1, 10), 0, 'the earlier end is forgotten')
      assert.equal(await store.revocations.purge(END + 2, 10), 3, 'and each is one')
    }),
  law('ids that look alike are ids of different logins')
    .protects('No logout ends the login of another account, or misses its own.')
    .check(async (store) => {
      const ann = await enrol(store)
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
  law('a login of an unknown account is revoked')
    .protects('A token that outlives its account opens nothing.')
    .check(async (store) => {
      const ann = await enrol(store)
      await assertRevoked(store, { ...statelessLogin(ann), accountId: UNKNOWN }, NOW)
    }),
  law('a login of another epoch than its account has is revoked, a lower or a higher one')
    .protects('An earlier token, or one of another store, opens nothing.')
    .check(async (store) => {
      const { id } = await enrol(store)
      for (const _ of ['once', 'twice']) await store.sessions.endAllOf(id)
      const login = statelessLogin(await accountOf(store, id))
      assert.equal(login.epoch, 3)
      for (const epoch of [0, 1, 2, 4, 5])
        await assertRevoked(store, { ...login, epoch: epoch as Epoch }, NOW)
      await assertInForce(store, login, NOW)
    }),
  law('a password change revokes every earlier login')
    .protects('A thief with a token is thrown out by changing the password.')
    .check((store) =>
      assertRevokesThoseOfBefore(store, ({ id }) => store.accounts.setPassword(id, hashOf('new'))),
    ),
  law('endAllOf revokes every earlier login')
    .protects('Logging an account out everywhere misses no device.')
    .check((store) => assertRevokesThoseOfBefore(store, ({ id }) => store.sessions.endAllOf(id))),
  law('disabling revokes every login of the account')
    .protects('A disabled account is locked out at once.')
    .check(async (store) => {
      const { id } = await assertRevokes(store, (ann) => store.accounts.setDisabled(ann.id, NOW))
      await assertRevoked(store, statelessLogin(await accountOf(store, id), 'meanwhile'), NOW)
    }),
  law('enabling again brings back no earlier login, nor one of meanwhile')
    .protects('A login that was cut off does not come back with the account.')
    .check((store) =>
      assertRevokesThoseOfBefore(store, async ({ id }) => {
        await store.accounts.setDisabled(id, NOW)
        const meanwhile = statelessLogin(await accountOf(store, id), 'meanwhile')
        await store.accounts.setDisabled(id, undefined)
        await assertRevoked(store, meanwhile, NOW)
      }),
    ),
  law('removing revokes every login of the account, also where its email is taken again')
    .protects('A deleted account leaves no way in.')
    .check(async (store) => {
      const ann = await assertRevokes(store, ({ id }) => store.accounts.remove(id))
      const next = await enrol(store, 'ann')
      await assertRevoked(store, statelessLogin(ann, 'first'), NOW)
      await assertInForce(store, statelessLogin(next, 'next'), NOW)
    }),
  law('what moves no epoch revokes nothing')
    .protects('No login is ended by a role, by a hash made anew or by a needless command.')
    .check(async (store) => {
      const ann = await enrol(store)
      await store.accounts.replaceHash(ann.id, hashOf('ann'), hashOf('anew'))
      await giveRole(store, ann, 'admin')
      await store.accounts.setDisabled(ann.id, undefined)
      await assertInForce(store, statelessLogin(ann), NOW)
    }),
  law('of 16 revokes of one login at once none is lost, and the latest end counts')
    .protects('A login that is ended from several sides is ended for good.')
    .check(async (store) => {
      const ann = await enrol(store)
      await inRounds(async (round) => {
        const login = statelessLogin(ann, `login ${round}`)
        const answers = await race(async (caller) => {
          // In no order, so that the latest is neither the first nor the last one.
          await store.revocations.revoke(login.sessionId, END + ((caller * 7 + 4) % 16))
          return await store.revocations.isRevoked(login, NOW)
        })
        assert.deepEqual(new Set(answers), new Set([true]), 'each finds it revoked when its own call is done')
        await assertRevoked(store, login, END + 14)
        await assertInForce(store, login, END + 15)
        assert.equal(await store.revocations.purge(END + 15, 20), 1, 'it is one revocation')
      })
    }),
  law('a login that races 16 ends of its account is revoked as soon as one of them is done')
    .protects('A login that was under way does not slip through.')
    .check(async (store) => {
      const { id } = await enrol(store)
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
]

/** What a store that trims, cuts, folds, matches or decodes takes for the same. */
function lookingLike(id: SessionId): readonly SessionId[] {
  const last = id.slice(0, -1)
  const texts = [
    ...[last, `${id}0`, `${id} `, ` ${id}`, id.toUpperCase(), id.replaceAll('-', ''), id.slice(0, 8)],
    ...[`${last}_`, `${last}%`, `${last}.`, `${id}\n`, `"${id}"`, `urn:uuid:${id}`],
    sessionIdOf('other'),
  ]
  return texts as readonly string[] as readonly SessionId[]
}

/** Two logins of one account are revoked after `act`, that of another account is not. */
async function assertRevokes(store: Store, act: (account: Account) => Promise<unknown>): Promise<Account> {
  const ann = await enrol(store, 'ann')
  const other = statelessLogin(await enrol(store, 'other'), 'other')
  const logins = [statelessLogin(ann, 'first'), statelessLogin(ann, 'second')]
  for (const login of logins) await assertInForce(store, login, NOW)
  await act(ann)
  for (const login of logins)
    for (const at of [NOW, NOW + SECOND, NOW + 3_650 * DAY]) await assertRevoked(store, login, at)
  await assertInForce(store, other, NOW)
  return ann
}

/** The same, and a new login is accepted. */
async function assertRevokesThoseOfBefore(store: Store, act: (account: Account) => Promise<unknown>) {
  const { id } = await assertRevokes(store, act)
  const next: StatelessLogin = statelessLogin(await accountOf(store, id), 'next')
  await assertInForce(store, next, NOW)
}
