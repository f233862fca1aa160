import assert from 'node:assert/strict'
import type { RoleKey } from '../../domain/access/role.js'
import type { Epoch, Account, AccountId } from '../../domain/identity/account.js'
import { accountOf, enrol, giveFactor, giveRole, logIn, issueResetToken } from '../arrangements.js'
import { actorAndTarget, assertDead } from '../active-sessions.js'
import { accountWithReset, assertConsumes } from '../reset-tokens.js'
import { assertInForce, assertRevoked, pairsOf, rotateLogin, statelessLogin } from '../stateless-logins.js'
import { lawOf, type Law } from '../law.js'
import { recordsOf, takeAwayAndPutAgain } from './arrangements.js'
import {
  anActor,
  aConsumption,
  aSession,
  NOW,
  recoveryDigestOf,
  SECOND,
  stepOf,
  aNewAccount,
  emailOf,
  aLoginRotation,
  DAY,
  aMailJob,
  anAuditRecord,
} from '../samples.js'
import type { Email } from '../../domain/identity/email.js'
import type { Store } from '../../ports/store.js'

const law = lawOf('copyableRecords')
const SOON = NOW + 2 * SECOND

/** Laws about accounts, logins, mails and audit records after a copy. */
export const afterCopyingLaws: readonly Law[] = [
  law('a reset token and a session with an actor that were put are good as before')
    .protects('After a copy mailed links work, and an acting administrator is not taken for the account.')
    .check(async (store) => {
      const { account: ann, issued } = await accountWithReset(store, 'ann')
      const acting = await logIn(store, ann, 'acting', { actor: anActor(await enrol(store, 'bob')) })
      await takeAwayAndPutAgain(recordsOf(store))
      const found = await store.sessions.find(acting.current.keyDigest, SOON)
      assert.deepEqual(found, { session: acting, account: ann, actorRoles: [] })
      assert.equal(await store.accounts.consumeResetToken(aConsumption(ann, issued)), ann.id)
    }),
  law('a second factor that was put is asked for as before, and accepts no code again')
    .protects('A copy takes no account its second factor, and opens no account with a code that was used.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await giveFactor(store, { id })
      const [spent, left] = ['one', 'two'].map((code) => recoveryDigestOf(`factor ${code}`))
      assert.ok(spent && left)
      assert.equal(await store.secondFactors.takeRecovery(id, spent), 'taken')
      const before = await store.secondFactors.find(id)
      await takeAwayAndPutAgain(recordsOf(store))
      assert.deepEqual(await store.secondFactors.find(id), before)
      assert.equal((await accountOf(store, id)).secondFactor, true)
      assert.equal(await store.secondFactors.takeStep(id, stepOf()), 'spent')
      assert.equal(await store.secondFactors.takeRecovery(id, spent), 'unknown')
      assert.equal(await store.secondFactors.takeRecovery(id, left), 'taken')
    }),
  law('accounts that were put are found by every search')
    .protects('After a copy an operator finds whom he found before.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      for (const account of [ann, bob]) await giveRole(store, account, 'editor')
      await store.accounts.setDisabled(bob.id, NOW)
      const role = 'editor' as RoleKey
      const found = async () =>
        await Promise.all(
          [{}, { role }, { onlyDisabled: true }, { role, onlyDisabled: true }].map(async (search) => {
            const accounts = await store.accounts.search({ ...search, limit: 10 })
            return accounts.map(({ id }) => id)
          }),
        )
      assert.deepEqual(await found(), [[ann.id, bob.id], [ann.id, bob.id], [bob.id], [bob.id]])
      await takeAwayAndPutAgain(recordsOf(store))
      assert.deepEqual(await found(), [[ann.id, bob.id], [ann.id, bob.id], [bob.id], [bob.id]])
      const { roles: _, ...record } = ann
      await recordsOf(store).put('account', [{ ...record, roles: [], disabledAt: NOW }])
      assert.deepEqual(await found(), [[ann.id, bob.id], [bob.id], [ann.id, bob.id], [bob.id]])
    }),
  law('a session that is put after its actor has moved on is dead')
    .protects('A copy wakes nothing that had ended.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const stale = { ...anActor(actor), epoch: 2 as Epoch }
      const dead = { ...aSession(target, 'dead'), actor: stale }
      const active = { ...aSession(target, 'active'), createdAt: NOW + SECOND, actor: anActor(actor) }
      assert.equal(await recordsOf(store).put('session', [dead, active]), 'put')
      const page = await store.sessions.pageOf({ accountId: target.id, limit: 1, at: SOON })
      assert.deepEqual(page, [active])
      await assertDead(store, dead, SOON)
    }),
  law('accounts that share a canonical email are each found by their own email, and no third account is made')
    .protects('After an upgrade each person still logs in, and to no account of another person.')
    .check(async (store) => {
      const [ann, bob] = await sharing(store)
      const found = async (former?: Email) => await store.accounts.findByEmail(CANONICAL, former)
      assert.deepEqual(await found(FORMER), ann)
      assert.deepEqual(await found(), bob)
      assert.equal(await found(emailOf('third')), undefined, 'no account is guessed')
      assert.deepEqual(await store.accounts.page(undefined, 3), [ann, bob])
      const third = { ...aNewAccount('third'), email: CANONICAL }
      assert.deepEqual(await store.accounts.insert(third), { kind: 'duplicate-email' })
    }),
  law('a reset token of an account that shares its canonical email resets that account')
    .protects('After an upgrade every reset mail still works.')
    .check(async (store) => {
      for (const account of await sharing(store)) {
        const issued = await issueResetToken(store, account)
        await assertConsumes(store, { account: { ...account, email: CANONICAL }, issued })
      }
    }),
  law('the last account that shared a canonical email is found by it')
    .protects('When the other account is deleted, a person logs in however the email is typed.')
    .check(async (store) => {
      const [ann, bob] = await sharing(store)
      await store.accounts.remove(bob.id)
      assert.deepEqual(await store.accounts.findByEmail(CANONICAL), ann)
      const third = { ...aNewAccount('third'), email: CANONICAL }
      assert.deepEqual(await store.accounts.insert(third), { kind: 'duplicate-email' })
    }),
  law('a revocation that was put holds until the same end')
    .protects('After a copy no ended login is good again.')
    .check(async (store) => {
      const ann = await enrol(store)
      const [login, other] = [statelessLogin(ann, 'revoked'), statelessLogin(ann, 'other')]
      await store.revocations.revoke(login.sessionId, SOON)
      await takeAwayAndPutAgain(recordsOf(store))
      await assertRevoked(store, login, SOON - 1)
      await assertInForce(store, login, SOON)
      await assertInForce(store, other, NOW)
      assert.equal(await store.revocations.purge(SOON - 1, 10), 0)
      assert.equal(await store.revocations.purge(SOON, 10), 1)
    }),
  law('a login that was put goes on from its current pair, and a spent one is still a replay')
    .protects('After a copy no user is logged out by it, and no thief is let in.')
    .check(async (store) => {
      const ann = await enrol(store)
      const [login, other] = [statelessLogin(ann, 'refreshed'), statelessLogin(ann, 'spent')]
      const { current } = await rotateLogin(store, login)
      await rotateLogin(store, other)
      await takeAwayAndPutAgain(recordsOf(store))
      await assertInForce(store, login, SOON)
      const again = pairsOf(
        await store.revocations.rotate(aLoginRotation(login, {}, 1)),
        'superseded',
      ).current
      assert.deepEqual(again, current)
      await rotateLogin(store, login, { from: current.pairId, at: SOON })
      const late = aLoginRotation(other, { at: NOW + DAY }, 1)
      assert.deepEqual(await store.revocations.rotate(late), { kind: 'replayed' })
      await assertRevoked(store, other, NOW + DAY)
      assert.equal(await store.revocations.purge(late.until - 1, 10), 0)
      assert.equal(await store.revocations.purge(late.until, 10), 2)
    }),
  law('of an account that was removed no session is kept, nor one in which it acted')
    .protects('A deleted account leaves neither address nor email in what is kept.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      const other = await logIn(store, bob, 'other')
      await logIn(store, ann, 'own')
      await logIn(store, bob, 'acted in', { actor: anActor(ann) })
      await logIn(store, ann, 'acted on', { actor: anActor(bob) })
      await store.accounts.remove(ann.id)
      assert.deepEqual(await recordsOf(store).page('session', undefined, 10), [other])
    }),
  law(
    'a mail that was put leaves at once, whichever worker had it and whatever it waited for, and keeps its attempts',
  )
    .protects('After a copy no user waits for a mail that a worker of the old store had.')
    .check(async (store) => {
      const [tried, taken] = [aMailJob('0'), aMailJob('1', { requestId: 'request', about: 'removed' })]
      for (const job of [tried, taken]) await store.mailQueue.enqueue(job, 10)
      await store.mailQueue.claim(NOW, SOON)
      await store.mailQueue.postpone({ id: tried.id, until: SOON }, SOON)
      assert.deepEqual(await store.mailQueue.claim(NOW, SOON), taken)
      await takeAwayAndPutAgain(recordsOf(store))
      const claims = [await store.mailQueue.claim(NOW, SOON), await store.mailQueue.claim(NOW, SOON)]
      assert.deepEqual(claims, [{ ...tried, attempts: 1 }, taken])
    }),
  law('an audit record that was put is on the pages that it was on')
    .protects('After a copy it is still known who did what to whom.')
    .check(async (store) => {
      const accounts = [2, 1] as readonly number[] as readonly AccountId[]
      await store.audit.append(anAuditRecord('0', { accounts, subject: 'account:2' }))
      await store.audit.append(anAuditRecord('1', { accounts: [], event: 'logout', address: 'address' }))
      const pages = async () => [
        ...(await Promise.all(accounts.map((accountId) => store.audit.page({ accountId, limit: 10 })))),
        await store.audit.page({ event: 'logout', limit: 10 }),
        await store.audit.page({ limit: 10 }),
      ]
      const before = await pages()
      const lengths = before.map(({ length }) => length)
      assert.deepEqual(lengths, [1, 1, 1, 2])
      await takeAwayAndPutAgain(recordsOf(store))
      assert.deepEqual(await pages(), before)
    }),
]

const CANONICAL = emailOf('canonical')
const FORMER = emailOf('former')
/** Two accounts that share a canonical email, which is the own email of the second account. */
async function sharing(store: Store): Promise<readonly [Account, Account]> {
  const ann = { ...(await enrol(store, 'ann')), email: FORMER, sharedEmail: CANONICAL }
  const bob = { ...(await enrol(store, 'bob')), email: CANONICAL, sharedEmail: CANONICAL }
  for (const account of [ann, bob])
    assert.equal(await recordsOf(store).put('account', [{ ...account, roles: [] }]), 'put')
  return [ann, bob]
}
