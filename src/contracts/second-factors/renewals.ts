import assert from 'node:assert/strict'
import type { AccountId } from '../../domain/identity/account.js'
import type { RecoveryDigest } from '../../domain/identity/second-factor.js'
import type { CodeProof } from '../../ports/second-factors.js'
import type { Store } from '../../ports/store.js'
import { enrol, giveFactor } from '../arrangements.js'
import { inRounds, race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { NOW, recoveryDigestOf, sealedSecretOf, stepOf } from '../samples.js'

const law = lawOf('secondFactors')
const UNKNOWN = 4_000_000_001 as AccountId
const [ONE, TWO] = [recoveryDigestOf('factor one'), recoveryDigestOf('factor two')]

/** New recovery codes replace the previous ones, by a code that is used up with it. */
export const recoveryRenewalLaws: readonly Law[] = [
  law(
    'renewed recovery codes replace all previous codes and use up the code that proves them',
    'An owner who never saw the recovery codes gets new ones, and a finder of the previous codes has nothing.',
    async (store) => {
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
    },
  ),
  law(
    'a code that is spent or of another account renews no recovery codes, and neither does a factor that is not active',
    'No caller who lacks the device and the recovery codes makes codes that log in.',
    async (store) => {
      const [ann, bob, eve] = [
        await enrol(store, 'ann'),
        await enrol(store, 'bob'),
        await enrol(store, 'eve'),
      ]
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
    },
  ),
  law(
    'of 16 concurrent renewals with one code exactly one renews, and its recovery codes are the valid ones',
    'An owner who presses the button twice is shown codes that work.',
    (store) =>
      inRounds(async (round) => {
        for (const proof of [step(1), recovery(ONE)]) {
          const { id } = await enrol(store, `ann ${proof.kind} ${round}`)
          await giveFactor(store, { id })
          const answers = await race((caller) => renew(store, id, proof, newCodes(`${caller}`)))
          assert.deepEqual(tally(answers), { renewed: 1, spent: 15 })
          assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 3)
          await assertTakes(store, id, newCodes(`${answers.indexOf('renewed')}`))
        }
      }),
  ),
  law(
    'of concurrent renewals with different codes, beside a recovery code that is taken, one whole set is valid',
    'Every recovery code that is valid was shown, with all codes of its set.',
    (store) =>
      inRounds(async (round) => {
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
  ),
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
