import assert from 'node:assert/strict'
import type { AccountId } from '../../domain/identity/account.js'
import { enrol, giveFactor } from '../arrangements.js'
import { race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { anActivation, recoveryDigestOf, sealedSecretOf, stepOf, NOW, UNKNOWN } from '../samples.js'
import type { RecoveryDigest } from '../../domain/identity/second-factor.js'
import type { CodeProof } from '../../ports/second-factors.js'
import type { Store } from '../../ports/store.js'

const law = lawOf('secondFactors')
const [ONE, TWO] = [recoveryDigestOf('factor one'), recoveryDigestOf('factor two')]

/** A correct code is accepted once, and renews the recovery codes. */
export const secondFactorCodeLaws: readonly Law[] = [
  law('a step is taken where it is later than every one before, and spent else')
    .protects('A code that a stranger saw is worth nothing after its use, and neither is an earlier code.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await giveFactor(store, { id })
      const steps = [
        [0, 'spent'],
        [-1, 'spent'],
        [2, 'taken'],
        [2, 'spent'],
        [1, 'spent'],
        [3, 'taken'],
      ] as const
      for (const [later, outcome] of steps)
        assert.equal(await store.secondFactors.takeStep(id, stepOf(later)), outcome, `${later}`)
      assert.equal((await store.secondFactors.find(id))?.lastStep, stepOf(3))
    }),
  law('a step of an account without an active factor is spent')
    .protects('No code opens an account that has no second factor.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await store.secondFactors.begin(id, { sealedSecret: sealedSecretOf('factor'), at: 0 })
      for (const one of [id, UNKNOWN])
        assert.equal(await store.secondFactors.takeStep(one, stepOf(1)), 'spent')
      assert.equal((await store.secondFactors.find(id))?.lastStep, undefined)
    }),
  law('without an active factor no recovery code is taken, and without a set-up none is activated')
    .protects('No account comes to a second factor, or past one, that it was never shown.')
    .check(async (store) => {
      const { id } = await enrol(store)
      for (const one of [id, UNKNOWN]) {
        assert.equal(await store.secondFactors.activate(one, anActivation('factor')), 'changed')
        assert.equal(await store.secondFactors.takeRecovery(one, ONE), 'unknown')
      }
      await store.secondFactors.begin(id, { sealedSecret: sealedSecretOf('factor'), at: 0 })
      assert.equal(await store.secondFactors.takeRecovery(id, ONE), 'unknown')
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 0)
    }),
  law('a recovery code is taken once, and the others stay')
    .protects('A recovery code that was used is worth nothing to a finder of the sheet of paper.')
    .check(async (store) => {
      const { id } = await enrol(store)
      await giveFactor(store, { id })
      for (const outcome of ['taken', 'unknown'])
        assert.equal(await store.secondFactors.takeRecovery(id, ONE), outcome)
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 1)
      assert.equal(await store.secondFactors.takeRecovery(id, TWO), 'taken')
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 0)
      assert.equal(await store.secondFactors.takeStep(id, stepOf(1)), 'taken', 'codes go on without them')
    }),
  law('codes of one account are none of another')
    .protects('No account logs in with the second factor of another one, or uses it up.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      await giveFactor(store, ann)
      await giveFactor(store, bob, 'other')
      assert.equal(await store.secondFactors.takeRecovery(bob.id, ONE), 'unknown')
      assert.equal(await store.secondFactors.takeStep(bob.id, stepOf(5)), 'taken')
      assert.equal(await store.secondFactors.takeStep(ann.id, stepOf(1)), 'taken')
      assert.equal(await store.secondFactors.remove(bob.id), 'removed')
      assert.equal(await store.secondFactors.takeRecovery(ann.id, ONE), 'taken')
    }),
  law('of 16 takes of one step at once exactly one is taken')
    .protects('A code opens one session, also where two who have it hurry.')
    .inRounds(async (store, round) => {
      const { id } = await enrol(store, `ann ${round}`)
      await giveFactor(store, { id })
      const answers = await race(() => store.secondFactors.takeStep(id, stepOf(1)))
      assert.deepEqual(tally(answers), { taken: 1, spent: 15 })
    }),
  law('of 16 takes of one recovery code at once exactly one is taken')
    .protects('A recovery code opens one session, also where two who have it hurry.')
    .inRounds(async (store, round) => {
      const { id } = await enrol(store, `ann ${round}`)
      await giveFactor(store, { id })
      const answers = await race(() => store.secondFactors.takeRecovery(id, ONE))
      assert.deepEqual(tally(answers), { taken: 1, unknown: 15 })
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 1)
    }),
  law('renewed recovery codes replace all previous codes and use up the code that proves them')
    .protects('An owner who never saw the codes gets new codes, and a finder of earlier codes has nothing.')
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
  law(
    'a code that is spent or of another account renews no recovery codes, and neither does a factor that is not active',
  )
    .protects('No caller who lacks the device and the recovery codes makes codes that log in.')
    .check(async (store) => {
      const ann = await enrol(store, 'ann')
      const bob = await enrol(store, 'bob')
      const eve = await enrol(store, 'eve')
      await giveFactor(store, ann)
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
  law('of 16 concurrent renewals with one code exactly one renews, and its recovery codes are the valid ones')
    .protects('An owner who presses the button twice is shown codes that work.')
    .inRounds(async (store, round) => {
      for (const proof of [step(1), recovery(ONE)]) {
        const { id } = await enrol(store, `ann ${proof.kind} ${round}`)
        await giveFactor(store, { id })
        const answers = await race((caller) => renew(store, id, proof, newCodes(`${caller}`)))
        assert.deepEqual(tally(answers), { renewed: 1, spent: 15 })
        assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 3)
        await assertTakes(store, id, newCodes(`${answers.indexOf('renewed')}`))
      }
    }),
  law(
    'of concurrent renewals with different codes, beside a recovery code that is taken, one whole set is valid',
  )
    .protects('Every recovery code that is valid was shown, with all codes of its set.')
    .inRounds(async (store, round) => {
      const { id } = await enrol(store, `ann ${round}`)
      await giveFactor(store, { id })
      const answers = await race((caller) =>
        caller === 7
          ? store.secondFactors.takeRecovery(id, ONE)
          : renew(store, id, step(caller + 1), newCodes(`${caller}`)),
      )
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 3)
      const renewed = answers.flatMap((answer, caller) => (answer === 'renewed' ? [caller] : []))
      const valid: number[] = []
      for (const caller of renewed)
        if ((await takenOf(store, id, newCodes(`${caller}`))) === 3) valid.push(caller)
      assert.equal(valid.length, 1)
    }),
]

function step(later: number): CodeProof {
  return { kind: 'step', step: stepOf(later) }
}

function recovery(digest: RecoveryDigest): CodeProof {
  return { kind: 'recovery', digest }
}

/** Three, whose first is there twice. */
function newCodes(label: string): readonly RecoveryDigest[] {
  return ['one', 'two', 'three', 'one'].map((code) => recoveryDigestOf(`new ${code} of ${label}`))
}

async function renew(store: Store, id: AccountId, proof: CodeProof, codes: readonly RecoveryDigest[]) {
  return await store.secondFactors.renewRecovery(id, { proof, recovery: codes })
}

async function takenOf(store: Store, id: AccountId, codes: readonly RecoveryDigest[]): Promise<number> {
  let taken = 0
  for (const code of codes) if ((await store.secondFactors.takeRecovery(id, code)) === 'taken') taken += 1
  return taken
}

async function assertTakes(store: Store, id: AccountId, codes: readonly RecoveryDigest[]): Promise<void> {
  assert.equal(await takenOf(store, id, codes), new Set(codes).size)
}
