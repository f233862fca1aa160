import assert from 'node:assert/strict'
import type { RoleKey } from '../../domain/access/role.js'
import type { Epoch, Account, AccountId } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { Store } from '../../ports/store.js'
import {
  accountOf,
  addAccount,
  addPasskeys,
  giveRole,
  logIn,
  addAccountWithFactor,
  issueReset,
  useOf,
} from '../arrangements.js'
import { eachInOrder, lawOf, type Law } from '../law.js'
import {
  actAs,
  actorPair,
  read,
  assertInForce,
  assertRevoked,
  pairsIn,
  rotateLogin,
  statelessLogin,
} from '../logins.js'
import {
  anActor,
  aRotation,
  hashOf,
  NOW,
  recoveryDigestOf,
  SECOND,
  aStep,
  emailOf,
  aLoginRotation,
  DAY,
  aMailJob,
  anAuditRecord,
  aSession,
  aNewAccount,
} from '../samples.js'
import { recordsOf, takeAwayAndPutAgain } from './arrangements.js'

const law = lawOf('copyableRecords')
const factorLaw = lawOf('copyableRecords', addAccountWithFactor)
const accountLaw = lawOf('copyableRecords', addAccount)
const SOON = NOW + 2 * SECOND

/** Contract tests for accounts, logins, mail jobs and audit records after they have been copied. */
export const afterCopyingLaws: readonly Law[] = [
  accountLaw('a copied reset proof and a copied impersonated session work as before')
    .protects(
      'After a copy, emailed links work, and an impersonating administrator is not mistaken for the account.',
    )
    .check(async (store, ann) => {
      const reset = await issueReset(store, ann)
      const acting = await actAs(store, ann, await addAccount(store, 'bob'))
      await takeAwayAndPutAgain(recordsOf(store))
      const found = await store.sessions.find(acting.current.keyDigest, SOON)
      assert.deepEqual(found, { session: acting, account: ann, actorRoles: [] })
      assert.equal(await store.proofs.resetPassword(useOf(reset), hashOf('reset')), ann.id)
    }),
  factorLaw('a copied second factor is still required and does not accept a used code')
    .protects('A copy does not remove a second factor, and a used code does not work again.')
    .check(async (store, { id }) => {
      const [spent, left] = ['one', 'two'].map((code) => recoveryDigestOf(`factor ${code}`))
      assert.ok(spent && left)
      assert.equal(await store.secondFactors.takeRecovery(id, spent), 'taken')
      const before = await store.secondFactors.find(id)
      await takeAwayAndPutAgain(recordsOf(store))
      assert.deepEqual(await store.secondFactors.find(id), before)
      assert.equal((await accountOf(store, id)).secondFactor, before?.activeSince)
      assert.equal(await store.secondFactors.takeStep(id, aStep()), 'spent')
      assert.equal(await store.secondFactors.takeRecovery(id, spent), 'unknown')
      assert.equal(await store.secondFactors.takeRecovery(id, left), 'taken')
    }),
  accountLaw('a copied passkey works, and its counter does not go back')
    .protects('After a copy, users log in with their passkeys, and a cloned authenticator is still detected.')
    .check(async (store, ann) => {
      const [one, two] = await addPasskeys(store, ann, 2)
      assert.ok(one && two)
      const use = { counter: 5, backedUp: true, at: NOW }
      assert.equal(await store.passkeys.use(one.id, use), 'used')
      const before = await store.passkeys.listOf(ann.id)
      await takeAwayAndPutAgain(recordsOf(store))
      assert.deepEqual(await store.passkeys.listOf(ann.id), before)
      assert.equal(await store.passkeys.use(one.id, use), 'rewound')
      assert.equal(await store.passkeys.add(two, ann.epoch), 'taken')
      const { roles: _, ...record } = ann
      await recordsOf(store).put('account', [{ ...record, roles: [] }])
      assert.equal(await store.passkeys.find(one.id), undefined, 'put replaces the passkeys')
    }),
  law('every search finds the copied accounts')
    .protects('After a copy, an operator finds the same accounts.')
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      for (const account of [ann, bob]) await giveRole(store, account, 'editor')
      await store.accounts.setDisabled(bob.id, NOW)
      const role = 'editor' as RoleKey
      const searches = [{}, { role }, { onlyDisabled: true }, { role, onlyDisabled: true }]
      const found = () =>
        eachInOrder(searches, async (search) => {
          const accounts = await store.accounts.search({ ...search, limit: 10 })
          return accounts.map(({ id }) => id)
        })
      const before = [[ann.id, bob.id], [ann.id, bob.id], [bob.id], [bob.id]]
      assert.deepEqual(await found(), before)
      await takeAwayAndPutAgain(recordsOf(store))
      assert.deepEqual(await found(), before)
      const { roles: _, ...record } = ann
      await recordsOf(store).put('account', [{ ...record, roles: [], disabledAt: NOW }])
      assert.deepEqual(await found(), [[ann.id, bob.id], [bob.id], [ann.id, bob.id], [bob.id]])
    }),
  law('a session whose actor has a newer epoch is inactive after a copy')
    .protects('A copy does not revive an ended session.')
    .check(async (store) => {
      const { actor, target } = await actorPair(store)
      const stale = { ...anActor(actor), epoch: 2 as Epoch }
      const dead = { ...aSession(target, 'dead'), actor: stale }
      const active = { ...aSession(target, 'active'), createdAt: NOW + SECOND, actor: anActor(actor) }
      assert.equal(await recordsOf(store).put('session', [dead, active]), 'put')
      const page = await store.sessions.pageOf({ accountId: target.id, limit: 1, at: SOON })
      assert.deepEqual(page, [active])
      await store.sessions.rotate(aRotation(dead, { at: SOON }))
      assert.equal(await read(store, dead, SOON), undefined)
      assert.equal(await store.sessions.find(dead.current.keyDigest, SOON), undefined)
    }),
  law(
    'two accounts with the same canonical email are each found by their entered email, and no third account is created',
  )
    .protects('After an upgrade, each user can log in to exactly their own account.')
    .check(async (store) => {
      const [ann, bob] = await sharing(store)
      const found = async (former?: Email) => await store.accounts.findByEmail(CANONICAL, former)
      assert.deepEqual(await found(FORMER), ann)
      assert.deepEqual(await found(), bob)
      assert.equal(await found(emailOf('third')), undefined, 'an ambiguous email finds no account')
      assert.deepEqual(await store.accounts.page(undefined, 3), [ann, bob])
      const third = { ...aNewAccount('third'), email: CANONICAL }
      assert.deepEqual(await store.accounts.insert(third), { kind: 'duplicate-email' })
    }),
  law('the last remaining account with a canonical email is found by any spelling of the email')
    .protects(
      'When the other account with the email is deleted, the user can log in with any spelling of the email.',
    )
    .check(async (store) => {
      const [ann, bob] = await sharing(store)
      await store.accounts.remove(bob.id)
      assert.deepEqual(await store.accounts.findByEmail(CANONICAL), ann)
      const third = { ...aNewAccount('third'), email: CANONICAL }
      assert.deepEqual(await store.accounts.insert(third), { kind: 'duplicate-email' })
    }),
  accountLaw('a copied revocation keeps its expiry')
    .protects('After a copy, no ended login works again.')
    .check(async (store, ann) => {
      const [login, other] = [statelessLogin(ann, 'revoked'), statelessLogin(ann, 'other')]
      await store.revocations.revoke(login.sessionId, SOON)
      await takeAwayAndPutAgain(recordsOf(store))
      await assertRevoked(store, login, SOON - 1)
      await assertInForce(store, login, SOON)
      await assertInForce(store, other, NOW)
      assert.equal(await store.revocations.purge(SOON - 1, 10), 0)
      assert.equal(await store.revocations.purge(SOON, 10), 1)
    }),
  accountLaw('a copied login continues from its current pair, and using its spent pair is still a replay')
    .protects('A copy neither logs users out nor lets a thief in.')
    .check(async (store, ann) => {
      const [login, other] = [statelessLogin(ann, 'refreshed'), statelessLogin(ann, 'spent')]
      const { current } = await rotateLogin(store, login)
      await rotateLogin(store, other)
      await takeAwayAndPutAgain(recordsOf(store))
      await assertInForce(store, login, SOON)
      const again = await store.revocations.rotate(aLoginRotation(login, {}, 1))
      assert.deepEqual(pairsIn(again, 'superseded').current, current)
      await rotateLogin(store, login, { from: current.pairId, at: SOON })
      const late = aLoginRotation(other, { at: NOW + DAY }, 1)
      assert.deepEqual(await store.revocations.rotate(late), { kind: 'replayed' })
      await assertRevoked(store, other, NOW + DAY)
      assert.equal(await store.revocations.purge(late.until - 1, 10), 0)
      assert.equal(await store.revocations.purge(late.until, 10), 2)
    }),
  law('records contain no session whose account or actor has been removed')
    .protects('Stored data contains no address or email of a deleted account.')
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      const other = await logIn(store, bob, 'other')
      await logIn(store, ann, 'own')
      await actAs(store, bob, ann, 'acted in')
      await actAs(store, ann, bob, 'acted on')
      await store.accounts.remove(ann.id)
      assert.deepEqual(await recordsOf(store).page('session', undefined, 10), [other])
    }),
  law('a copied email is due immediately and keeps its attempt count, but not its claim')
    .protects('After a copy, emails that a worker of the old store had claimed are sent without delay.')
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
  law('a copied audit record appears on the same pages as before')
    .protects('After a copy, the log still shows who performed each action.')
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

/** Inserts two accounts with the same canonical email; the second account's stored email is identical to it. */
async function sharing(store: Store): Promise<readonly [Account, Account]> {
  const ann = { ...(await addAccount(store, 'ann')), email: FORMER, sharedEmail: CANONICAL }
  const bob = { ...(await addAccount(store, 'bob')), email: CANONICAL, sharedEmail: CANONICAL }
  for (const account of [ann, bob])
    assert.equal(await recordsOf(store).put('account', [{ ...account, roles: [] }]), 'put')
  return [ann, bob]
}
