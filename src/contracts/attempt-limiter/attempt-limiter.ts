import assert from 'node:assert/strict'
import type { Attempt, AttemptOutcome } from '../../ports/attempt-limiter.js'
import type { Store } from '../../ports/store.js'
import { race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { NOW, SECOND } from '../samples.js'

const law = lawOf('attempts')
const LIMIT = { count: 3, window: 60 * SECOND }
const END = NOW + LIMIT.window

/** Counted attempts, such as logins of an account or from an address. */
export const attemptLimiterLaws: readonly Law[] = [
  law('as many as the limit are taken, and the next one is refused until the window ends')
    .protects('An attacker who guesses passwords gets so many tries and no more.')
    .check(async (store) => {
      for (const at of [NOW, NOW + SECOND, END - 1]) await taken(store, ['ann'], at)
      for (const at of [END - 1, NOW])
        assert.deepEqual(await take(store, ['ann'], at), { kind: 'refused', until: END })
    }),
  law('after its window a name is free again, for another whole window')
    .protects('No account is locked out for good.')
    .check(async (store) => {
      for (let count = 0; count < 3; count += 1) await taken(store, ['ann'], NOW)
      for (let count = 0; count < 3; count += 1) await taken(store, ['ann'], END)
      const refused = { kind: 'refused', until: END + LIMIT.window }
      assert.deepEqual(await take(store, ['ann'], END + 1), refused)
    }),
  law('of many names whose windows end at once each is free from then on')
    .protects('An attack on many accounts keeps none of them locked.')
    .check(async (store) => {
      const names = Array.from({ length: 20 }, (_, index) => `account ${index}`)
      for (let count = 0; count < 3; count += 1) for (const name of names) await taken(store, [name], NOW)
      for (const name of [...names.slice(10), ...names.slice(0, 10).toReversed()])
        await taken(store, [name], END)
    }),
  law('names are counted apart, to the letter')
    .protects('The attack on one account hurts no other one.')
    .check(async (store) => {
      for (let count = 0; count < 3; count += 1) await taken(store, ['ann'], NOW)
      for (const other of ['Ann', 'ann ', 'an', '']) await taken(store, [other], NOW)
    }),
  law('an attempt under several names is counted under all of them or none, and refused to the latest end')
    .protects('A refused attempt does not use up what others may still try.')
    .check(async (store) => {
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
    }),
  law('every name has its own limit and its own window, and a refusal lasts until none is full')
    .protects('A network may try more often than one account, and a minute can be limited beside an hour.')
    .check(async (store) => {
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
    }),
  law('what is refunded can be taken again')
    .protects('A user with the right password can log in as often as they like.')
    .check(async (store) => {
      for (let count = 0; count < 20; count += 1)
        await store.attempts.refund(await taken(store, ['ann', 'address'], NOW))
      for (let count = 0; count < 3; count += 1) await taken(store, ['ann', 'address'], NOW)
      assert.equal((await take(store, ['address'], NOW)).kind, 'refused')
    }),
  law('what is refunded makes room for itself, in the window that there is')
    .protects('A right password neither lets a guesser try more often nor keeps the user waiting for longer.')
    .check(async (store) => {
      const first = await taken(store, ['ann'], NOW)
      for (const at of [NOW, NOW + SECOND]) await taken(store, ['ann'], at)
      await store.attempts.refund(first)
      await taken(store, ['ann'], NOW + 2 * SECOND)
      assert.deepEqual(await take(store, ['ann'], END - 1), { kind: 'refused', until: END })
    }),
  law('what is refunded after its window changes nothing')
    .protects('A login that took very long makes no room for a guess.')
    .check(async (store) => {
      const late = await taken(store, ['ann'], NOW)
      for (let count = 0; count < 3; count += 1) await taken(store, ['ann'], END)
      await store.attempts.refund(late)
      assert.equal((await take(store, ['ann'], END)).kind, 'refused')
      const purged = await taken(store, ['bob'], NOW)
      await store.attempts.purge(END, 10)
      await store.attempts.refund(purged)
      for (let count = 0; count < 3; count += 1) await taken(store, ['bob'], END)
      assert.equal((await take(store, ['bob'], END)).kind, 'refused')
    }),
  law('of 16 attempts at once as many as the limit are taken')
    .protects('Guesses that come at the same moment count like all others.')
    .inRounds(async (store, round) => {
      const names = [`account ${round}`, `address ${round}`]
      const outcomes = await race(() => take(store, names, NOW))
      assert.deepEqual(tally(outcomes.map(({ kind }) => kind)), { taken: 3, refused: 13 })
    }),
  law('an attempt is refused by others that are counted, and by none that is refused itself')
    .protects('A guess that is not let through takes no place from a login that comes with it.')
    .inRounds(async (store, round) => {
      const limit = { ...LIMIT, count: 1 }
      const wide = { name: `account ${round}`, limit }
      const outcomes = await race((caller) => {
        const narrow = { name: `pair ${round} ${caller >> 1}`, limit }
        return store.attempts.take(caller % 2 === 0 ? [narrow, wide] : [narrow], NOW)
      })
      // Of the two that want one pair the first is taken, or the other one where the account is full for the first.
      for (let pair = 0; pair < outcomes.length; pair += 2) {
        const kinds = outcomes.slice(pair, pair + 2).map(({ kind }) => kind)
        assert.deepEqual(tally(kinds), { taken: 1, refused: 1 })
      }
    }),
  law('purge removes what is over, at most so much, and says how much')
    .protects('The counts of a long attack do not stay for ever.')
    .check(async (store) => {
      for (const name of ['a', 'b', 'c']) await taken(store, [name], NOW)
      assert.equal(await store.attempts.purge(END - 1, 10), 0)
      assert.equal(await store.attempts.purge(END, 2), 2)
      assert.equal(await store.attempts.purge(END, 10), 1)
      assert.equal(await store.attempts.purge(END, 10), 0)
    }),
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
