import assert from 'node:assert/strict'
import type { AccountId } from '../../domain/identity/account.js'
import type { RecoveryDigest } from '../../domain/identity/second-factor.js'
import type { CodeProof } from '../../ports/second-factors.js'
import type { Store } from '../../ports/store.js'
import { addAccount, addFactor, addAccountWithFactor } from '../arrangements.js'
import { assertRace, eachInOrder, race, lawOf, type Law } from '../law.js'
import { anActivation, aStep, recoveryDigestOf, sealedSecretOf, stepOf, NOW, UNKNOWN } from '../samples.js'

const law = lawOf('secondFactors')
const factorLaw = lawOf('secondFactors', addAccountWithFactor)
const accountLaw = lawOf('secondFactors', addAccount)
const [ONE, TWO] = [recoveryDigestOf('factor one'), recoveryDigestOf('factor two')]

/** Contract tests for accepting each correct code only once, and for renewing the recovery codes with a code. */
export const secondFactorCodeLaws: readonly Law[] = [
  factorLaw('a time step is accepted if it is later than every accepted step, and is spent otherwise')
    .protects('After a code was used, this code and every earlier code stop working.')
    .check(async (store, { id }) => {
      const steps = [0, -1, 2, 2, 1, 3]
      const outcomes = await eachInOrder(steps, (later) => store.secondFactors.takeStep(id, aStep(later)))
      assert.deepEqual(outcomes, ['spent', 'spent', 'taken', 'spent', 'spent', 'taken'])
      assert.equal((await store.secondFactors.find(id))?.lastStep, stepOf(3))
    }),
  factorLaw('a time step of an earlier factor is spent, and does not renew recovery codes')
    .protects('A code from the old device does not work once the account has a new device.')
    .check(async (store, { id }) => {
      const earlier = { ...aStep(1), since: NOW }
      assert.equal(await store.secondFactors.takeStep(id, earlier), 'spent')
      assert.equal(await renew(store, id, { kind: 'step', ...earlier }, newCodes('ann')), 'spent')
      assert.equal((await store.secondFactors.find(id))?.lastStep, stepOf())
      await assertTakes(store, id, [ONE, TWO])
    }),
  accountLaw('a time step of an account without an active factor is spent')
    .protects('No code works for an account without a second factor.')
    .check(async (store, { id }) => {
      await store.secondFactors.begin(id, { sealedSecret: sealedSecretOf('factor'), at: 0 })
      for (const one of [id, UNKNOWN])
        assert.equal(await store.secondFactors.takeStep(one, aStep(1)), 'spent')
      assert.equal((await store.secondFactors.find(id))?.lastStep, undefined)
    }),
  accountLaw(
    'an account without an active factor accepts no recovery code, and an account without a set-up cannot activate a factor',
  )
    .protects('No account activates or uses a second factor that its user was never shown.')
    .check(async (store, { id }) => {
      for (const one of [id, UNKNOWN]) {
        assert.equal(await store.secondFactors.activate(one, anActivation('factor')), 'changed')
        assert.equal(await store.secondFactors.takeRecovery(one, ONE), 'unknown')
      }
      await store.secondFactors.begin(id, { sealedSecret: sealedSecretOf('factor'), at: 0 })
      assert.equal(await store.secondFactors.takeRecovery(id, ONE), 'unknown')
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 0)
    }),
  factorLaw('a recovery code is accepted once, and the other recovery codes remain valid')
    .protects('A used recovery code is worthless to anyone who finds it.')
    .check(async (store, { id }) => {
      for (const outcome of ['taken', 'unknown'])
        assert.equal(await store.secondFactors.takeRecovery(id, ONE), outcome)
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 1)
      assert.equal(await store.secondFactors.takeRecovery(id, TWO), 'taken')
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 0)
      assert.equal(await store.secondFactors.takeStep(id, aStep(1)), 'taken', 'time-based codes still work')
    }),
  law('a code for one account is not accepted for another account')
    .protects("No account can log in with another account's second factor, or use up that account's codes.")
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      await addFactor(store, ann)
      await addFactor(store, bob, 'other')
      assert.equal(await store.secondFactors.takeRecovery(bob.id, ONE), 'unknown')
      assert.equal(await store.secondFactors.takeStep(bob.id, aStep(5)), 'taken')
      assert.equal(await store.secondFactors.takeStep(ann.id, aStep(1)), 'taken')
      assert.equal(await store.secondFactors.remove(bob.id), 'removed')
      assert.equal(await store.secondFactors.takeRecovery(ann.id, ONE), 'taken')
    }),
  factorLaw('exactly one of 16 concurrent uses of a step succeeds')
    .protects('A code opens one session, even under concurrent logins.')
    .inRounds(async (store, _, { id }) => {
      await assertRace({ taken: 1, spent: 15 }, () => store.secondFactors.takeStep(id, aStep(1)))
    }),
  factorLaw('exactly one of 16 concurrent uses of a recovery code succeeds')
    .protects('A recovery code opens one session, even under concurrent logins.')
    .inRounds(async (store, _, { id }) => {
      await assertRace({ taken: 1, unknown: 15 }, () => store.secondFactors.takeRecovery(id, ONE))
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 1)
    }),
  law('renewing recovery codes replaces all previous codes and uses up the code that authorized the renewal')
    .protects('A user who lost the recovery codes gets new codes, and the lost codes stop working.')
    .check(async (store) => {
      for (const [label, proof] of [
        ['ann', step(1)],
        ['bob', recovery(ONE)],
      ] as const) {
        const { id } = await addAccount(store, label)
        await addFactor(store, { id })
        const before = await store.secondFactors.find(id)
        assert.equal(await renew(store, id, proof, newCodes(label)), 'renewed')
        const lastStep = proof.kind === 'step' ? proof.step : before?.lastStep
        assert.deepEqual(await store.secondFactors.find(id), { ...before, lastStep, recoveryLeft: 3 })
        assert.equal(await renew(store, id, proof, newCodes('another')), 'spent')
        for (const old of [ONE, TWO]) assert.equal(await store.secondFactors.takeRecovery(id, old), 'unknown')
        await assertTakes(store, id, newCodes(label))
      }
    }),
  law('recovery codes are not renewed with a used code, a code for another account or an inactive factor')
    .protects('Only a caller with the device or a recovery code can get new recovery codes.')
    .check(async (store) => {
      const [ann, bob, eve] = [
        await addAccountWithFactor(store),
        await addAccount(store, 'bob'),
        await addAccount(store, 'eve'),
      ]
      await addFactor(store, bob, 'other')
      await store.secondFactors.begin(eve.id, { sealedSecret: sealedSecretOf('factor'), at: NOW })
      const before = await store.secondFactors.find(ann.id)
      for (const proof of [step(0), step(-1), recovery(recoveryDigestOf('other one'))])
        assert.equal(await renew(store, ann.id, proof, newCodes('ann')), 'spent')
      assert.deepEqual(await store.secondFactors.find(ann.id), before)
      await assertTakes(store, ann.id, [ONE, TWO])
      for (const id of [eve.id, UNKNOWN])
        for (const proof of [step(1), recovery(ONE)])
          assert.equal(await renew(store, id, proof, newCodes('eve')), 'spent')
      assert.equal((await store.secondFactors.find(eve.id))?.recoveryLeft, 0)
      assert.equal(await renew(store, bob.id, step(1), newCodes('bob')), 'renewed')
    }),
  law(
    'exactly one of 16 concurrent renewals with the same code succeeds, and the new recovery codes are valid',
  )
    .protects('A user who clicks twice is shown recovery codes that work.')
    .inRounds(async (store, round) => {
      for (const proof of [step(1), recovery(ONE)]) {
        const { id } = await addAccount(store, `ann ${proof.kind} ${round}`)
        await addFactor(store, { id })
        const answers = await assertRace({ renewed: 1, spent: 15 }, (caller) =>
          renew(store, id, proof, newCodes(`${caller}`)),
        )
        assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 3)
        await assertTakes(store, id, newCodes(`${answers.indexOf('renewed')}`))
      }
    }),
  factorLaw(
    'after concurrent renewals with different codes, exactly one complete set of recovery codes is valid',
  )
    .protects('The valid recovery codes are a complete set that was shown to the user.')
    .inRounds(async (store, _, { id }) => {
      const answers = await race((caller) =>
        caller === 7
          ? store.secondFactors.takeRecovery(id, ONE)
          : renew(store, id, step(caller + 1), newCodes(`${caller}`)),
      )
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 3)
      const renewed = answers.flatMap((answer, caller) => (answer === 'renewed' ? [caller] : []))
      const counts = await eachInOrder(renewed, (caller) => takenOf(store, id, newCodes(`${caller}`)))
      assert.equal(counts.filter((count) => count === 3).length, 1)
    }),
]

function step(later: number): CodeProof {
  return { kind: 'step', ...aStep(later) }
}

function recovery(digest: RecoveryDigest): CodeProof {
  return { kind: 'recovery', digest }
}

/** Returns recovery codes, the first of which occurs twice. */
function newCodes(label: string): readonly RecoveryDigest[] {
  return ['one', 'two', 'three', 'one'].map((code) => recoveryDigestOf(`new ${code} of ${label}`))
}

async function renew(store: Store, id: AccountId, proof: CodeProof, codes: readonly RecoveryDigest[]) {
  return await store.secondFactors.renewRecovery(id, { proof, recovery: codes })
}

async function takenOf(store: Store, id: AccountId, codes: readonly RecoveryDigest[]): Promise<number> {
  const outcomes = await eachInOrder(codes, (code) => store.secondFactors.takeRecovery(id, code))
  return outcomes.filter((outcome) => outcome === 'taken').length
}

async function assertTakes(store: Store, id: AccountId, codes: readonly RecoveryDigest[]): Promise<void> {
  assert.equal(await takenOf(store, id, codes), new Set(codes).size)
}
