import assert from 'node:assert/strict'
import type { Account, AccountId } from '../../domain/identity/account.js'
import type { SealedSecret } from '../../domain/identity/second-factor.js'
import type { Session } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { Store } from '../../ports/store.js'
import {
  accountOf,
  assertAccount,
  addAccount,
  addFactor,
  addLoggedIn,
  logIn,
  addAccountWithFactor,
  resetPassword,
} from '../arrangements.js'
import { assertRace, numbersBelow, lawOf, type Law } from '../law.js'
import { assertActive } from '../logins.js'
import {
  anActivation,
  aStep,
  AWKWARD_STRINGS,
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
const accountLaw = lawOf('secondFactors', addAccount)
const factorLaw = lawOf('secondFactors', addAccountWithFactor)
const loginLaw = lawOf('secondFactors', addLoggedIn)
const NOTHING = { begunAt: NOW, recoveryLeft: 0 }

/** Contract tests for setting up, storing and removing the second factor of an account. */
export const secondFactorLaws: readonly Law[] = [
  accountLaw('begin sets up an inactive factor and keeps the account unchanged')
    .protects('A user who scans a QR code and does not finish can log in as before.')
    .check(async (store, account) => {
      assert.equal(await store.secondFactors.find(account.id), undefined)
      await begin(store, account, 'first')
      const pending = { ...NOTHING, sealedSecret: sealedSecretOf('first') }
      assert.deepEqual(await store.secondFactors.find(account.id), pending)
      assert.deepEqual(await accountOf(store, account.id), account)
      assert.equal(await store.secondFactors.takeStep(account.id, aStep(1)), 'spent')
    }),
  accountLaw('a second begin replaces the first set-up, which can no longer be activated')
    .protects('A secret from an abandoned set-up never becomes the second factor.')
    .check(async (store, account) => {
      for (const label of ['first', 'second']) await begin(store, account, label)
      assert.equal(await store.secondFactors.activate(account.id, anActivation('first')), 'changed')
      assert.deepEqual(await accountOf(store, account.id), account)
      assert.equal(await store.secondFactors.activate(account.id, anActivation('second')), 'activated')
    }),
  factorLaw('an active factor keeps the data of its activation, and begin does not change it')
    .protects('Starting a set-up again does not remove an active second factor.')
    .check(async (store, { id }) => {
      const set = { sealedSecret: sealedSecretOf('factor'), begunAt: NOW }
      const active = { ...set, activeSince: NOW + SECOND, lastStep: stepOf(), recoveryLeft: 2 }
      assert.deepEqual(await store.secondFactors.find(id), active)
      assert.equal(await beginAs(store, id, 'another'), 'active')
      assert.equal(await store.secondFactors.activate(id, anActivation('factor')), 'changed')
      assert.equal(await store.secondFactors.activate(id, anActivation('another')), 'changed')
      assert.deepEqual(await store.secondFactors.find(id), active)
    }),
  law('every read of an account returns the active factor of that account')
    .protects('A login requires a code if and only if the account has a factor.')
    .check(async (store) => {
      const [{ account, session }, other] = [await addLoggedIn(store), await addAccount(store, 'bob')]
      await addFactor(store, account)
      const marked = { ...account, secondFactor: NOW + SECOND }
      await assertAccount(store, marked)
      await assertAccount(store, other)
      assert.deepEqual((await store.sessions.findById(session.id, NOW))?.account, marked)
      assert.deepEqual((await store.sessions.find(session.current.keyDigest, NOW))?.account, marked)
    }),
  loginLaw('activating or removing a factor ends no session and keeps the epoch')
    .protects('Setting up a second factor does not log out the user.')
    .check(async (store, { account, session }) => {
      await addFactor(store, account)
      await assertActive(store, session, NOW)
      assert.equal(await store.secondFactors.remove(account.id), 'removed')
      await assertActive(store, session, NOW)
      assert.deepEqual(await accountOf(store, account.id), account)
    }),
  factorLaw('changing the password or disabling the account keeps its factor')
    .protects('A reset by email does not remove the second factor.')
    .check(async (store, { id }) => {
      const before = await store.secondFactors.find(id)
      assert.ok(before, 'the factor exists')
      await store.accounts.setPassword(id, hashOf('new'))
      const [expected, next] = [hashOf('new'), hashOf('changed')]
      assert.ok(await store.accounts.changePassword({ id, expected, next }), 'the password is changed')
      const account = await accountOf(store, id)
      await resetPassword(store, account)
      await store.accounts.setDisabled(id, NOW)
      await store.accounts.setDisabled(id, undefined)
      await store.sessions.endAllOf(id)
      assert.deepEqual(await store.secondFactors.find(id), before)
      assert.equal((await accountOf(store, id)).secondFactor, before.activeSince)
    }),
  law('a factor for an unknown account is neither found nor stored')
    .protects('A request that races the deletion of the account leaves no data behind.')
    .check(async (store) => {
      const pending = { sealedSecret: sealedSecretOf('factor'), at: NOW }
      assert.equal(await store.secondFactors.begin(UNKNOWN, pending), 'unknown-account')
      assert.equal(await store.secondFactors.activate(UNKNOWN, anActivation('factor')), 'changed')
      assert.equal(await store.secondFactors.find(UNKNOWN), undefined)
      assert.equal(await store.secondFactors.remove(UNKNOWN), 'unknown')
    }),
  factorLaw('reseal overwrites only the expected secret and changes nothing else')
    .protects('Resealing does not restore a secret that was replaced.')
    .check(async (store, { id }) => {
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
    'exactly one of 16 concurrent activations of a factor succeeds, and the resulting recovery codes are valid',
  )
    .protects('The recovery codes that a user sees are valid, even if the user clicked several times.')
    .inRounds(async (store, round) => {
      const { id } = await addAccount(store, `ann ${round}`)
      await begin(store, { id }, 'factor')
      const codeOf = (caller: number) => recoveryDigestOf(`code of ${caller}`)
      const answers = await assertRace({ activated: 1, changed: 15 }, (caller) =>
        store.secondFactors.activate(id, anActivation('factor', { recovery: [codeOf(caller)] })),
      )
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 1)
      const taken = await store.secondFactors.takeRecovery(id, codeOf(answers.indexOf('activated')))
      assert.equal(taken, 'taken')
    }),
  accountLaw('16 concurrent calls of begin leave one complete set-up per account')
    .protects('The stored secret is a secret that was shown to this user.')
    .inRounds(async (store, round, ann) => {
      const ids = [ann.id, (await addAccount(store, `bob ${round}`)).id] as const
      const idOf = (caller: number) => ids[caller % 2 === 0 ? 0 : 1]
      await assertRace({ begun: 16 }, (caller) => beginAs(store, idOf(caller), `${caller}`))
      for (const id of ids) {
        const kept = (await store.secondFactors.find(id))?.sealedSecret
        const shown = numbersBelow(16).filter((caller) => idOf(caller) === id)
        assert.ok(shown.some((caller) => kept === sealedSecretOf(`${caller}`)))
      }
    }),
  factorLaw('exactly one of 16 concurrent calls of reseal with the same expected secret succeeds')
    .protects('The stored secret is sealed with exactly one key.')
    .inRounds(async (store, _, { id }) => {
      const before = (await store.secondFactors.find(id))?.sealedSecret ?? assert.fail()
      const answers = await assertRace({ resealed: 1, changed: 15 }, (caller) =>
        store.secondFactors.reseal(id, before, sealedSecretOf(`${caller}`)),
      )
      const winner = sealedSecretOf(`${answers.indexOf('resealed')}`)
      assert.equal((await store.secondFactors.find(id))?.sealedSecret, winner)
    }),
  law('secrets are stored unchanged')
    .protects('A sealed secret can be opened again.')
    .check(async (store) => {
      for (const [index, text] of AWKWARD_STRINGS.entries()) {
        const { id } = await addAccount(store, `ann ${index}`)
        const sealedSecret = text as SealedSecret
        assert.equal(await store.secondFactors.begin(id, { sealedSecret, at: NOW }), 'begun')
        assert.deepEqual(await store.secondFactors.find(id), { ...NOTHING, sealedSecret })
        assert.equal(await store.secondFactors.activate(id, anActivation('', { sealedSecret })), 'activated')
        assert.equal((await store.secondFactors.find(id))?.sealedSecret, sealedSecret)
      }
    }),
  factorLaw('remove deletes the factor and its recovery codes, and a second call returns unknown')
    .protects('A removed factor is no longer required, and its codes do not work.')
    .check(async (store, { id }) => {
      for (const outcome of ['removed', 'unknown'])
        assert.equal(await store.secondFactors.remove(id), outcome)
      assert.equal(await store.secondFactors.find(id), undefined)
      assert.equal((await accountOf(store, id)).secondFactor, undefined)
      await begin(store, { id }, 'again')
      assert.equal(await store.secondFactors.remove(id), 'removed', 'remove also deletes an inactive factor')
      await begin(store, { id }, 'next')
      const next = anActivation('next', { step: stepOf(-5) })
      assert.equal(await store.secondFactors.activate(id, next), 'activated')
      assert.equal(await store.secondFactors.takeRecovery(id, recoveryDigestOf('factor one')), 'unknown')
      assert.equal(
        await store.secondFactors.takeStep(id, aStep(-4)),
        'taken',
        'a new factor accepts time steps that were used with the removed factor',
      )
    }),
  law(
    "a session stores which factor was verified, and is returned with its account's and its actor's factors",
  )
    .protects(
      'A session that was verified with the old device gets no permissions that require the new device.',
    )
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      const own = await logIn(store, ann, 'own', { factor: NOW })
      const acting = await logIn(store, ann, 'acting', { factor: NOW, actor: anActor(bob) })
      await assertFactors(store, [own], {})
      for (const at of [NOW + SECOND, NOW + 2 * SECOND]) {
        const [ofAnn, ofBob] = [at, at + 1]
        await addFactor(store, ann, 'factor', ofAnn)
        await addFactor(store, bob, 'factor', ofBob)
        const late = await logIn(store, ann, `late ${at}`, { factor: NOW })
        await assertFactors(store, [own, late], { ofAnn })
        await assertFactors(store, [acting], { ofAnn, ofBob })
        for (const { id } of [ann, bob]) assert.equal(await store.secondFactors.remove(id), 'removed')
        await assertFactors(store, [own, acting], {})
      }
    }),
  factorLaw('a factor is deleted with its account, and a new account with the same email has no factor')
    .protects('The next owner of an address does not need a code of the previous owner.')
    .check(async (store, before) => {
      await store.accounts.remove(before.id)
      const after = await addAccount(store)
      assert.equal(after.secondFactor, undefined)
      for (const { id } of [before, after]) assert.equal(await store.secondFactors.find(id), undefined)
    }),
  factorLaw('exactly one of 16 concurrent removals of a factor succeeds')
    .protects('Each caller learns whether its call removed the factor.')
    .inRounds(async (store, _, { id }) => {
      await assertRace({ removed: 1, unknown: 15 }, () => store.secondFactors.remove(id))
    }),
]

async function begin(store: Store, { id }: Pick<Account, 'id'>, label: string): Promise<void> {
  assert.equal(await beginAs(store, id, label), 'begun')
}

async function beginAs({ secondFactors }: Store, id: AccountId, label: string) {
  return await secondFactors.begin(id, { sealedSecret: sealedSecretOf(label), at: NOW })
}

/** Looks up the sessions and asserts that their accounts and actors have the expected second factors. */
async function assertFactors(
  store: Store,
  sessions: readonly Session[],
  { ofAnn, ofBob }: { readonly ofAnn?: Instant; readonly ofBob?: Instant },
): Promise<void> {
  for (const session of sessions) {
    const found = await store.sessions.findById(session.id, NOW)
    assert.deepEqual(
      [found?.session, found?.account.secondFactor, found?.actorFactor],
      [session, ofAnn, ofBob],
    )
    assert.deepEqual(await store.sessions.find(session.current.keyDigest, NOW), found)
  }
}
