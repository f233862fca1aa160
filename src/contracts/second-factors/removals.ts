import assert from 'node:assert/strict'
import type { Account, AccountId } from '../../domain/identity/account.js'
import type { Store } from '../../ports/store.js'
import { accountOf, enrol, giveFactor, logIn, read, rotate } from '../arrangements.js'
import { inRounds, race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { anActivation, anActor, NOW, recoveryDigestOf, sealedSecretOf, stepOf } from '../samples.js'

const law = lawOf('secondFactors')

/** What is left of a second factor that was removed: nothing. */
export const secondFactorRemovalLaws: readonly Law[] = [
  law(
    'remove takes the factor and its recovery codes away, and twice is unknown',
    'A factor that was removed is not asked for any more, and no code of it is good again.',
    async (store) => {
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
    },
  ),
  law(
    'a session that was begun with a factor has none once that was removed, also when there is another one',
    'A session that was stolen with the old device may not do what needs the new one.',
    async (store) => {
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
    },
  ),
  law(
    'a factor goes with its account and does not come back with the email',
    'The next owner of an address needs no code of the one before.',
    async (store) => {
      const before = await enrol(store)
      await giveFactor(store, before)
      await store.accounts.remove(before.id)
      assert.equal(await store.secondFactors.find(before.id), undefined)
      const after = await enrol(store)
      assert.equal(after.secondFactor, undefined)
      assert.equal(await store.secondFactors.find(after.id), undefined)
    },
  ),
  law(
    'of 16 removals at once exactly one removes',
    'Two that remove a factor at once are told who of them did it.',
    (store) =>
      inRounds(async (round) => {
        const { id } = await enrol(store, `ann ${round}`)
        await giveFactor(store, { id })
        assert.deepEqual(tally(await race(() => store.secondFactors.remove(id))), { removed: 1, unknown: 15 })
      }),
  ),
]

async function setUp({ secondFactors }: Store, id: AccountId, label: string): Promise<void> {
  assert.equal(await secondFactors.begin(id, { sealedSecret: sealedSecretOf(label), at: NOW }), 'begun')
}
