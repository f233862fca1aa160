import assert from 'node:assert/strict'
import type { AccountId } from '../../domain/identity/account.js'
import { enrol, giveFactor, withFactor } from '../arrangements.js'
import { assertRace, inTurn, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { anActivation, aStep, recoveryDigestOf, sealedSecretOf, stepOf, NOW, UNKNOWN } from '../samples.js'
import type { RecoveryDigest } from '../../domain/identity/second-factor.js'
import type { CodeProof } from '../../ports/second-factors.js'
import type { Store } from '../../ports/store.js'

const law = lawOf('secondFactors')
const factorLaw = lawOf('secondFactors', withFactor)
const accountLaw = lawOf('secondFactors', enrol)
const [ONE, TWO] = [recoveryDigestOf('factor one'), recoveryDigestOf('factor two')]

/** Accepting each correct code once, and renewing the recovery codes with a code. */
export const secondFactorCodeLaws: readonly Law[] = [
  factorLaw('a step is taken if it is later than every taken step, and is spent otherwise')
    .protects('A code that a stranger saw is void after its use, as is every earlier code.')
    .check(async (store, { id }) => {
      const steps = [0, -1, 2, 2, 1, 3]
      const outcomes = await inTurn(steps, (later) => store.secondFactors.takeStep(id, aStep(later)))
      assert.deepEqual(outcomes, ['spent', 'spent', 'taken', 'spent', 'spent', 'taken'])
      assert.equal((await store.secondFactors.find(id))?.lastStep, stepOf(3))
    }),
  factorLaw('a step of an earlier factor is spent, and renews no recovery codes')
    .protects('A code of the old device does not work when the account has a new device.')
    .check(async (store, { id }) => {
      const earlier = { ...aStep(1), since: NOW }
      assert.equal(await store.secondFactors.takeStep(id, earlier), 'spent')
      assert.equal(await renew(store, id, { kind: 'step', ...earlier }, newCodes('ann')), 'spent')
      assert.equal((await store.secondFactors.find(id))?.lastStep, stepOf())
      await assertTakes(store, id, [ONE, TWO])
    }),
  accountLaw('a step of an account without an active factor is spent')
    .protects('No code opens an account that has no second factor.')
    .check(async (store, { id }) => {
      await store.secondFactors.begin(id, { sealedSecret: sealedSecretOf('factor'), at: 0 })
      for (const one of [id, UNKNOWN])
        assert.equal(await store.secondFactors.takeStep(one, aStep(1)), 'spent')
      assert.equal((await store.secondFactors.find(id))?.lastStep, undefined)
    }),
  accountLaw(
    'an account without an active factor takes no recovery code, and without a set-up activates none',
  )
    .protects('No account gets or passes a second factor that it was never shown.')
    .check(async (store, { id }) => {
      for (const one of [id, UNKNOWN]) {
        assert.equal(await store.secondFactors.activate(one, anActivation('factor')), 'changed')
        assert.equal(await store.secondFactors.takeRecovery(one, ONE), 'unknown')
      }
      await store.secondFactors.begin(id, { sealedSecret: sealedSecretOf('factor'), at: 0 })
      assert.equal(await store.secondFactors.takeRecovery(id, ONE), 'unknown')
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 0)
    }),
  factorLaw('a recovery code is taken once, and the others stay')
    .protects('A used recovery code is void for a finder of the sheet of paper.')
    .check(async (store, { id }) => {
      for (const outcome of ['taken', 'unknown'])
        assert.equal(await store.secondFactors.takeRecovery(id, ONE), outcome)
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 1)
      assert.equal(await store.secondFactors.takeRecovery(id, TWO), 'taken')
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 0)
      assert.equal(await store.secondFactors.takeStep(id, aStep(1)), 'taken', 'time-based codes still work')
    }),
  law('a code of one account is unknown to another')
    .protects('No account logs in with the second factor of another one, or uses it up.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      await giveFactor(store, ann)
      await giveFactor(store, bob, 'other')
      assert.equal(await store.secondFactors.takeRecovery(bob.id, ONE), 'unknown')
      assert.equal(await store.secondFactors.takeStep(bob.id, aStep(5)), 'taken')
      assert.equal(await store.secondFactors.takeStep(ann.id, aStep(1)), 'taken')
      assert.equal(await store.secondFactors.remove(bob.id), 'removed')
      assert.equal(await store.secondFactors.takeRecovery(ann.id, ONE), 'taken')
    }),
  factorLaw('16 concurrent uses of a step succeed exactly once')
    .protects('A code opens one session, even if two holders hurry.')
    .inRounds(async (store, _, { id }) => {
      await assertRace({ taken: 1, spent: 15 }, () => store.secondFactors.takeStep(id, aStep(1)))
    }),
  factorLaw('16 concurrent uses of a recovery code succeed exactly once')
    .protects('A recovery code opens one session, even if two holders hurry.')
    .inRounds(async (store, _, { id }) => {
      await assertRace({ taken: 1, unknown: 15 }, () => store.secondFactors.takeRecovery(id, ONE))
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 1)
    }),
  law('renewed recovery codes replace all previous codes and use up the code that proves them')
    .protects('An owner who lost the codes gets new ones, and a finder of earlier codes has nothing.')
    .check(async (store) => {
      for (const [label, proof] of [
        ['ann', step(1)],
        ['bob', recovery(ONE)],
      ] as const) {
        const { id } = await enrol(store, label)
        await giveFactor(store, { id })
        const before = await store.secondFactors.find(id)
        assert.equal(await renew(store, id, proof, newCodes(label)), 'renewed')
        const lastStep = proof.kind === 'step' ? proof.step : before?.lastStep
        assert.deepEqual(await store.secondFactors.find(id), { ...before, lastStep, recoveryLeft: 3 })
        assert.equal(await renew(store, id, proof, newCodes('another')), 'spent')
        for (const old of [ONE, TWO]) assert.equal(await store.secondFactors.takeRecovery(id, old), 'unknown')
        await assertTakes(store, id, newCodes(label))
      }
    }),
  law('a spent code, a foreign code and an inactive factor renew no recovery codes')
    .protects('Only a caller with the device or a recovery code gets codes that log in.')
    .check(async (store) => {
      const [ann, bob, eve] = [await withFactor(store), await enrol(store, 'bob'), await enrol(store, 'eve')]
      await giveFactor(store, bob, 'other')
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
  law('16 concurrent renewals with one code succeed exactly once, and its recovery codes are valid')
    .protects('An owner who presses the button twice sees codes that work.')
    .inRounds(async (store, round) => {
      for (const proof of [step(1), recovery(ONE)]) {
        const { id } = await enrol(store, `ann ${proof.kind} ${round}`)
        await giveFactor(store, { id })
        const answers = await assertRace({ renewed: 1, spent: 15 }, (caller) =>
          renew(store, id, proof, newCodes(`${caller}`)),
        )
        assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 3)
        await assertTakes(store, id, newCodes(`${answers.indexOf('renewed')}`))
      }
    }),
  factorLaw('concurrent renewals with different codes leave one complete set of valid recovery codes')
    .protects('Every valid recovery code was shown, with all codes of its set.')
    .inRounds(async (store, _, { id }) => {
      const answers = await race((caller) =>
        caller === 7
          ? store.secondFactors.takeRecovery(id, ONE)
          : renew(store, id, step(caller + 1), newCodes(`${caller}`)),
      )
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 3)
      const renewed = answers.flatMap((answer, caller) => (answer === 'renewed' ? [caller] : []))
      const counts = await inTurn(renewed, (caller) => takenOf(store, id, newCodes(`${caller}`)))
      assert.equal(counts.filter((count) => count === 3).length, 1)
    }),
]

function step(later: number): CodeProof {
  return { kind: 'step', ...aStep(later) }
}

function recovery(digest: RecoveryDigest): CodeProof {
  return { kind: 'recovery', digest }
}

/** Three recovery codes, the first of them twice. */
function newCodes(label: string): readonly RecoveryDigest[] {
  return ['one', 'two', 'three', 'one'].map((code) => recoveryDigestOf(`new ${code} of ${label}`))
}

async function renew(store: Store, id: AccountId, proof: CodeProof, codes: readonly RecoveryDigest[]) {
  return await store.secondFactors.renewRecovery(id, { proof, recovery: codes })
}

async function takenOf(store: Store, id: AccountId, codes: readonly RecoveryDigest[]): Promise<number> {
  const outcomes = await inTurn(codes, (code) => store.secondFactors.takeRecovery(id, code))
  return outcomes.filter((outcome) => outcome === 'taken').length
}

async function assertTakes(store: Store, id: AccountId, codes: readonly RecoveryDigest[]): Promise<void> {
  assert.equal(await takenOf(store, id, codes), new Set(codes).size)
}
