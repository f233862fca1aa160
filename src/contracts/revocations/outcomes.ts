import assert from 'node:assert/strict'
import { enrol, statelessLogin } from '../arrangements.js'
import { inRounds, race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { NOW, SECOND } from '../samples.js'

const law = lawOf('revocations')
const END = NOW + 60 * SECOND

/** What `revoke` says of itself. */
export const revocationOutcomeLaws: readonly Law[] = [
  law(
    'revoke says whether it changed anything',
    'A login that has been given up for another one is not given up for a second one.',
    async (store) => {
      const { sessionId } = statelessLogin(await enrol(store))
      const outcomes = []
      for (const until of [END, END, END - 1, END + 1, END + 1]) {
        outcomes.push(await store.revocations.revoke(sessionId, until))
      }
      assert.deepEqual(outcomes, ['revoked', 'unchanged', 'unchanged', 'revoked', 'unchanged'])
    },
  ),
  law(
    'of 16 revokes of one login with one end at once exactly one changes something',
    'Of two administrators with one stolen token only one becomes another account.',
    async (store) => {
      const ann = await enrol(store)
      await inRounds(async (round) => {
        const { sessionId } = statelessLogin(ann, `login ${round}`)
        const outcomes = await race(() => store.revocations.revoke(sessionId, END))
        assert.deepEqual(tally(outcomes), { revoked: 1, unchanged: 15 })
      })
    },
  ),
]
