import assert from 'node:assert/strict'
import type { AccountId } from '../../domain/identity/account.js'
import { enrol, giveFactor } from '../arrangements.js'
import { inRounds, race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { anActivation, recoveryDigestOf, sealedSecretOf, stepOf } from '../samples.js'

const law = lawOf('secondFactors')
const UNKNOWN = 4_000_000_001 as AccountId
const [ONE, TWO] = [recoveryDigestOf('factor one'), recoveryDigestOf('factor two')]

/** Codes that were right are good once. */
export const secondFactorCodeLaws: readonly Law[] = [
  law(
    'a step is taken where it is later than every one before, and spent else',
    'A code that was looked at over a shoulder is worth nothing once it was used, nor is the one before it.',
    async (store) => {
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
    },
  ),
  law(
    'a step of an account without an active factor is spent',
    'No code opens an account that has no second factor.',
    async (store) => {
      const { id } = await enrol(store)
      await store.secondFactors.begin(id, { sealedSecret: sealedSecretOf('factor'), at: 0 })
      for (const one of [id, UNKNOWN])
        assert.equal(await store.secondFactors.takeStep(one, stepOf(1)), 'spent')
      assert.equal((await store.secondFactors.find(id))?.lastStep, undefined)
    },
  ),
  law(
    'without an active factor no recovery code is taken, and without a set-up none is activated',
    'No account comes to a second factor, or past one, that it was never shown.',
    async (store) => {
      const { id } = await enrol(store)
      for (const one of [id, UNKNOWN]) {
        assert.equal(await store.secondFactors.activate(one, anActivation('factor')), 'changed')
        assert.equal(await store.secondFactors.takeRecovery(one, ONE), 'unknown')
      }
      await store.secondFactors.begin(id, { sealedSecret: sealedSecretOf('factor'), at: 0 })
      assert.equal(await store.secondFactors.takeRecovery(id, ONE), 'unknown')
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 0)
    },
  ),
  law(
    'a recovery code is taken once, and the others stay',
    'A recovery code that was used is worth nothing to a finder of the sheet of paper.',
    async (store) => {
      const { id } = await enrol(store)
      await giveFactor(store, { id })
      for (const outcome of ['taken', 'unknown'])
        assert.equal(await store.secondFactors.takeRecovery(id, ONE), outcome)
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 1)
      assert.equal(await store.secondFactors.takeRecovery(id, TWO), 'taken')
      assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 0)
      assert.equal(await store.secondFactors.takeStep(id, stepOf(1)), 'taken', 'codes go on without them')
    },
  ),
  law(
    'codes of one account are none of another',
    'No account logs in with the second factor of another one, or uses it up.',
    async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      await giveFactor(store, ann)
      await giveFactor(store, bob, 'other')
      assert.equal(await store.secondFactors.takeRecovery(bob.id, ONE), 'unknown')
      assert.equal(await store.secondFactors.takeStep(bob.id, stepOf(5)), 'taken')
      assert.equal(await store.secondFactors.takeStep(ann.id, stepOf(1)), 'taken')
      assert.equal(await store.secondFactors.remove(bob.id), 'removed')
      assert.equal(await store.secondFactors.takeRecovery(ann.id, ONE), 'taken')
    },
  ),
  law(
    'of 16 takes of one step at once exactly one is taken',
    'A code opens one session, also where two who have it hurry.',
    (store) =>
      inRounds(async (round) => {
        const { id } = await enrol(store, `ann ${round}`)
        await giveFactor(store, { id })
        const answers = await race(() => store.secondFactors.takeStep(id, stepOf(1)))
        assert.deepEqual(tally(answers), { taken: 1, spent: 15 })
      }),
  ),
  law(
    'of 16 takes of one recovery code at once exactly one is taken',
    'A recovery code opens one session, also where two who have it hurry.',
    (store) =>
      inRounds(async (round) => {
        const { id } = await enrol(store, `ann ${round}`)
        await giveFactor(store, { id })
        const answers = await race(() => store.secondFactors.takeRecovery(id, ONE))
        assert.deepEqual(tally(answers), { taken: 1, unknown: 15 })
        assert.equal((await store.secondFactors.find(id))?.recoveryLeft, 1)
      }),
  ),
]
