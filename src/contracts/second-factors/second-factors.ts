import assert from 'node:assert/strict'
import type { Account, AccountId } from '../../domain/identity/account.js'
import type { SealedSecret } from '../../domain/identity/second-factor.js'
import type { Store } from '../../ports/store.js'
import { accountOf, enrol, giveFactor, issueResetToken, loggedIn, logIn } from '../arrangements.js'
import { assertActive, read, rotate } from '../active-sessions.js'
import { assertConsumes } from '../reset-tokens.js'
import { race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import {
  anActivation,
  AWKWARD_TEXTS,
  hashOf,
  NOW,
  recoveryDigestOf,
  sealedSecretOf,
  SECOND,
  stepOf,
  anActor,
  UNKNOWN,
} from '../samples.js'

const law = lawOf('secondFactors')
const NOTHING = { begunAt: NOW, recoveryLeft: 0 }

/** How an account gets, keeps and loses its second factor. */
export const secondFactorLaws: readonly Law[] = [
  law('a factor that was set up is not active, and its account is as it was')
    .protects('Who scans a QR code and gives up can log in as before.')
    .check(async (store) => {
      const account = await enrol(store)
      assert.equal(await store.secondFactors.find(account.id), undefined)
      await begin(store, account, 'first')
      const pending = { ...NOTHING, sealedSecret: sealedSecretOf('first') }
      assert.deepEqual(await store.secondFactors.find(account.id), pending)
      assert.deepEqual(await accountOf(store, account.id), account)
      assert.equal(await store.secondFactors.takeStep(account.id, stepOf(1)), 'spent')
    }),
  law('a factor that is set up takes the place of the one before, which can then not be activated')
    .protects('A secret that was shown earlier, to whomever, never becomes the second factor.')
    .check(async (store) => {
      const account = await enrol(store)
      for (const label of ['first', 'second']) await begin(store, account, label)
      assert.equal(await store.secondFactors.activate(account.id, anActivation('first')), 'changed')
      assert.deepEqual(await accountOf(store, account.id), account)
      assert.equal(await store.secondFactors.activate(account.id, anActivation('second')), 'activated')
    }),
  law('an active factor has what it was activated with, and begin leaves it as it is')
    .protects('No second factor is lost to a second set-up.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await giveFactor(store, { id })
      const active = {
        sealedSecret: sealedSecretOf('factor'),
        begunAt: NOW,
        activeSince: NOW + SECOND,
        lastStep: stepOf(),
        recoveryLeft: 2,
      }
      assert.deepEqual(await store.secondFactors.find(id), active)
      const another = { sealedSecret: sealedSecretOf('another'), at: NOW + SECOND }
      assert.equal(await store.secondFactors.begin(id, another), 'active')
      assert.equal(await store.secondFactors.activate(id, anActivation('factor')), 'changed')
      assert.equal(await store.secondFactors.activate(id, anActivation('another')), 'changed')
      assert.deepEqual(await store.secondFactors.find(id), active)
    }),
  law('every read of an account tells that its factor is active, and of no other account')
    .protects('A login asks for a code where there is a factor, and only there.')
    .check(async (store) => {
      const [{ account, session }, other] = [await loggedIn(store), await enrol(store, 'bob')]
      await giveFactor(store, account)
      const marked = { ...account, secondFactor: true }
      assert.deepEqual(await store.accounts.find(account.id), marked)
      assert.deepEqual(await store.accounts.findByEmail(account.email), marked)
      assert.deepEqual(await store.accounts.page(undefined, 10), [marked, other])
      assert.deepEqual((await store.sessions.findById(session.id, NOW))?.account, marked)
      assert.deepEqual((await store.sessions.find(session.current.keyDigest, NOW))?.account, marked)
    }),
  law('a factor comes and goes without ending a session or moving an epoch')
    .protects('Setting up a second factor ends no login.')
    .check(async (store) => {
      const { account, session } = await loggedIn(store)
      await giveFactor(store, account)
      await assertActive(store, session, NOW)
      assert.equal(await store.secondFactors.remove(account.id), 'removed')
      await assertActive(store, session, NOW)
      assert.deepEqual(await accountOf(store, account.id), account)
    }),
  law('what changes the password or disables the account leaves its factor')
    .protects('A reset by mail does not do away with the second factor.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await giveFactor(store, { id })
      const before = await store.secondFactors.find(id)
      assert.ok(before, 'it is found')
      await store.accounts.setPassword(id, hashOf('new'))
      const [expected, next] = [hashOf('new'), hashOf('changed')]
      assert.ok(await store.accounts.changePassword({ id, expected, next }), 'it is changed')
      const account = await accountOf(store, id)
      await assertConsumes(store, { account, issued: await issueResetToken(store, account) })
      await store.accounts.setDisabled(id, NOW)
      await store.accounts.setDisabled(id, undefined)
      await store.sessions.endAllOf(id)
      assert.deepEqual(await store.secondFactors.find(id), before)
      assert.equal((await accountOf(store, id)).secondFactor, true)
    }),
  law('of an account that is not there nothing is found, and nothing is kept')
    .protects('A request that races the deletion of its account leaves nothing behind.')
    .check(async (store) => {
      const pending = { sealedSecret: sealedSecretOf('factor'), at: NOW }
      assert.equal(await store.secondFactors.begin(UNKNOWN, pending), 'unknown-account')
      assert.equal(await store.secondFactors.activate(UNKNOWN, anActivation('factor')), 'changed')
      assert.equal(await store.secondFactors.find(UNKNOWN), undefined)
      assert.equal(await store.secondFactors.remove(UNKNOWN), 'unknown')
    }),
  law('reseal writes over the expected secret only, and changes nothing else')
    .protects('Sealing a secret anew does not bring back one that was replaced.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await giveFactor(store, { id })
      const before = await store.secondFactors.find(id)
      assert.ok(before)
      const [next, other] = [sealedSecretOf('next'), sealedSecretOf('other')]
      assert.equal(await store.secondFactors.reseal(id, other, next), 'changed')
      assert.deepEqual(await store.secondFactors.find(id), before)
      assert.equal(await store.secondFactors.reseal(id, before.sealedSecret, next), 'resealed')
      assert.deepEqual(await store.secondFactors.find(id), { ...before, sealedSecret: next })
      assert.equal(await store.secondFactors.reseal(UNKNOWN, next, other), 'changed')
    }),
  law(
    'of 16 activations of one factor at once exactly one activates, and its recovery codes are the good ones',
  )
    .protects('Who is shown recovery codes can use them, however often the button was pressed.')
    .inRounds(async (store, round) => {
      const { id } = await enrol(store, `ann ${round}`)
      await begin(store, { id }, 'factor')
      const codeOf = (caller: number) => recoveryDigestOf(`code of ${caller}`)
      const answers = await race((caller) =>
        store.secondFactors.activate(id, anActivation('factor', { recovery: [codeOf(caller)] })),
      )
      assert.deepEqual(tally(answers), { activated: 1, changed: 15 })
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 1)
      const taken = await store.secondFactors.takeRecovery(id, codeOf(answers.indexOf('activated')))
      assert.equal(taken, 'taken')
    }),
  law('of 16 set-ups at once one is kept, whole')
    .protects('The secret that is kept is one that was shown.')
    .inRounds(async (store, round) => {
      const { id } = await enrol(store, `ann ${round}`)
      const answers = await race((caller) => beginAs(store, id, `${caller}`))
      assert.deepEqual(tally(answers), { begun: 16 })
      const kept = (await store.secondFactors.find(id))?.sealedSecret
      assert.ok(
        Array.from({ length: 16 }, (_, caller) => sealedSecretOf(`${caller}`)).some((one) => one === kept),
      )
    }),
  law('secrets are kept exactly, and changing what was passed in or handed out changes nothing in the store')
    .protects('A secret that was sealed can be opened again.')
    .check(async (store) => {
      for (const [index, text] of AWKWARD_TEXTS.entries()) {
        const { id } = await enrol(store, `ann ${index}`)
        const pending = { sealedSecret: text as SealedSecret, at: NOW }
        assert.equal(await store.secondFactors.begin(id, pending), 'begun')
        pending.sealedSecret = sealedSecretOf('changed')
        const found = await store.secondFactors.find(id)
        assert.deepEqual(found, { ...NOTHING, sealedSecret: text })
        Reflect.set(found, 'recoveryLeft', 9)
        assert.deepEqual(await store.secondFactors.find(id), { ...NOTHING, sealedSecret: text })
        const recovery = [recoveryDigestOf('one')]
        const activation = anActivation('', { sealedSecret: text as SealedSecret, recovery })
        assert.equal(await store.secondFactors.activate(id, activation), 'activated')
        recovery.push(recoveryDigestOf('two'))
        assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 1)
      }
    }),
  law('remove takes the factor and its recovery codes away, and twice is unknown')
    .protects('A factor that was removed is not asked for any more, and no code of it is good again.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await giveFactor(store, { id })
      for (const outcome of ['removed', 'unknown'])
        assert.equal(await store.secondFactors.remove(id), outcome)
      assert.equal(await store.secondFactors.find(id), undefined)
      assert.equal((await accountOf(store, id)).secondFactor, undefined)
      await setUp(store, id, 'again')
      assert.equal(await store.secondFactors.remove(id), 'removed', 'also one that is not active')
      await setUp(store, id, 'next')
      const next = anActivation('next', { step: stepOf(-5) })
      assert.equal(await store.secondFactors.activate(id, next), 'activated')
      assert.equal(await store.secondFactors.takeRecovery(id, recoveryDigestOf('factor one')), 'unknown')
      assert.equal(await store.secondFactors.takeStep(id, stepOf(-4)), 'taken', 'its steps begin anew')
    }),
  law('a session that was begun with a factor has none once that was removed, also when there is another one')
    .protects('A session that was stolen with the old device may not do what needs the new one.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      for (const account of [ann, bob]) await giveFactor(store, account)
      const begin = (account: Account, label: string, actor?: Account) =>
        logIn(store, account, label, { factor: true, ...(actor && { actor: anActor(actor) }) })
      const sessions = [await begin(ann, 'own'), await begin(bob, 'acting', ann)]
      const others = [await begin(bob, 'other'), await begin(ann, 'acted as', bob)]
      assert.equal(await store.secondFactors.remove(ann.id), 'removed')
      await giveFactor(store, ann, 'next')
      for (const { factor: _, ...session } of sessions) {
        assert.deepEqual(await read(store, session, NOW), session)
        assert.equal((await rotate(store, session)).factor, undefined)
      }
      for (const session of others) assert.deepEqual(await read(store, session, NOW), session)
    }),
  law('a factor goes with its account and does not come back with the email')
    .protects('The next owner of an address needs no code of the one before.')
    .check(async (store) => {
      const before = await enrol(store)
      await giveFactor(store, before)
      await store.accounts.remove(before.id)
      assert.equal(await store.secondFactors.find(before.id), undefined)
      const after = await enrol(store)
      assert.equal(after.secondFactor, undefined)
      assert.equal(await store.secondFactors.find(after.id), undefined)
    }),
  law('of 16 removals at once exactly one removes')
    .protects('Two that remove a factor at once are told who of them did it.')
    .inRounds(async (store, round) => {
      const { id } = await enrol(store, `ann ${round}`)
      await giveFactor(store, { id })
      assert.deepEqual(tally(await race(() => store.secondFactors.remove(id))), { removed: 1, unknown: 15 })
    }),
]

async function begin(store: Store, { id }: Pick<Account, 'id'>, label: string): Promise<void> {
  assert.equal(await beginAs(store, id, label), 'begun')
}

async function beginAs({ secondFactors }: Store, id: AccountId, label: string) {
  return await secondFactors.begin(id, { sealedSecret: sealedSecretOf(label), at: NOW })
}

async function setUp({ secondFactors }: Store, id: AccountId, label: string): Promise<void> {
  assert.equal(await secondFactors.begin(id, { sealedSecret: sealedSecretOf(label), at: NOW }), 'begun')
}
