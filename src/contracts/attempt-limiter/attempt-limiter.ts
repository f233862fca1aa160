import assert from 'node:assert/strict'
import type { Attempt, AttemptOutcome } from '../../ports/attempt-limiter.js'
import type { Store } from '../../ports/store.js'
import { inRounds, race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { NOW, SECOND } from '../samples.js'

const law = lawOf('attempts')
const LIMIT = { count: 3, window: 60 * SECOND }
const END = NOW + LIMIT.window

/** Counted attempts, such as logins of an account or from an address. */
export const attemptLimiterLaws: readonly Law[] = [
  law(
    'as many as the limit are taken, and the next one is refused until the window ends',
    'An attacker who guesses passwords gets so many tries and no more.',
    async (store) => {
      for (const at of [NOW, NOW + SECOND, END - 1]) await taken(store, ['ann'], at)
      for (const at of [END - 1, NOW]) {
        assert.deepEqual(await take(store, ['ann'], at), { kind: 'refused', until: END })
      }
    },
  ),
  law(
    'after its window a name is free again, for another whole window',
    'No account is locked out for good.',
    async (store) => {
      for (let count = 0; count < 3; count += 1) await taken(store, ['ann'], NOW)
      for (let count = 0; count < 3; count += 1) await taken(store, ['ann'], END)
      const refused = { kind: 'refused', until: END + LIMIT.window }
      assert.deepEqual(await take(store, ['ann'], END + 1), refused)
    },
  ),
  law(
    'names are counted apart, to the letter',
    'The attack on one account hurts no other one.',
    async (store) => {
      for (let count = 0; count < 3; count += 1) await taken(store, ['ann'], NOW)
      for (const other of ['Ann', 'ann ', 'an', '']) await taken(store, [other], NOW)
    },
  ),
  law(
    'an attempt under several names is counted under all of them or none, and refused to the latest end',
    'A refused attempt does not use up what others may still try.',
    async (store) => {
      await taken(store, ['address', 'ann'], NOW)
      await taken(store, ['address', 'bob'], NOW)
      await taken(store, ['address', 'bob'], NOW)
      for (const names of [
        ['ann', 'address'],
        ['address', 'ann'],
      ]) {
        const refused = await take(store, names, NOW + SECOND)
        assert.deepEqual(refused, { kind: 'refused', until: END })
      }
      for (let count = 0; count < 2; count += 1) await taken(store, ['ann'], NOW)
      assert.equal((await take(store, ['ann'], NOW)).kind, 'refused')
    },
  ),
  law(
    'every name has its own limit and its own window, and a refusal lasts until none is full',
    'A network may try more often than one account, and a minute can be limited beside an hour.',
    async (store) => {
      const minute = { name: 'minute', limit: { count: 1, window: 60 * SECOND } }
      const hour = { name: 'hour', limit: { count: 2, window: 3_600 * SECOND } }
      const both = [minute, hour]
      attemptOf(await store.attempts.take(both, NOW))
      const early = await store.attempts.take(both, NOW + SECOND)
      assert.deepEqual(early, { kind: 'refused', until: NOW + 60 * SECOND })
      attemptOf(await store.attempts.take(both, NOW + 60 * SECOND))
      for (const at of [NOW + 61 * SECOND, NOW + 3_599 * SECOND]) {
        const refused = { kind: 'refused', until: NOW + 3_600 * SECOND }
        assert.deepEqual(await store.attempts.take(both, at), refused)
      }
      // The refused ones were not counted under the name that had room.
      attemptOf(await store.attempts.take([minute], NOW + 3_599 * SECOND))
      attemptOf(await store.attempts.take([hour], NOW + 3_600 * SECOND))
    },
  ),
  law(
    'what is refunded can be taken again',
    'A user with the right password can log in as often as they like.',
    async (store) => {
      for (let count = 0; count < 20; count += 1) {
        await store.attempts.refund(await taken(store, ['ann', 'address'], NOW))
      }
      for (let count = 0; count < 3; count += 1) await taken(store, ['ann', 'address'], NOW)
      assert.equal((await take(store, ['address'], NOW)).kind, 'refused')
    },
  ),
  law(
    'what is refunded after its window changes nothing',
    'A login that took very long makes no room for a guess.',
    async (store) => {
      const late = await taken(store, ['ann'], NOW)
      for (let count = 0; count < 3; count += 1) await taken(store, ['ann'], END)
      await store.attempts.refund(late)
      assert.equal((await take(store, ['ann'], END)).kind, 'refused')
    },
  ),
  law(
    'of 16 attempts at once as many as the limit are taken',
    'Guesses that come at the same moment count like all others.',
    async (store) => {
      await inRounds(async (round) => {
        const names = [`account ${round}`, `address ${round}`]
        const outcomes = await race(() => take(store, names, NOW))
        assert.deepEqual(tally(outcomes.map(({ kind }) => kind)), { taken: 3, refused: 13 })
      })
    },
  ),
  law(
    'purge removes what is over, at most so much, and says how much',
    'The counts of a long attack do not stay for ever.',
    async (store) => {
      for (const name of ['a', 'b', 'c']) await taken(store, [name], NOW)
      assert.equal(await store.attempts.purge(END - 1, 10), 0)
      assert.equal(await store.attempts.purge(END, 2), 2)
      assert.equal(await store.attempts.purge(END, 10), 1)
      assert.equal(await store.attempts.purge(END, 10), 0)
    },
  ),
]

async function taken(store: Store, names: readonly string[], at: number): Promise<Attempt> {
  return attemptOf(await take(store, names, at))
}

function take(store: Store, names: readonly string[], at: number): Promise<AttemptOutcome> {
  return store.attempts.take(
    names.map((name) => ({ name, limit: LIMIT })),
    at,
  )
}

function attemptOf(outcome: AttemptOutcome): Attempt {
  assert.equal(outcome.kind, 'taken')
  return outcome.attempt
}
