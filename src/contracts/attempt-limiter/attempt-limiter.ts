import assert from 'node:assert/strict'
import type { Attempt, AttemptOutcome } from '../../ports/attempt-limiter.js'
import type { Store } from '../../ports/store.js'
import { assertRace, numbersBelow, race, sumOf, tally, lawOf, type Law } from '../law.js'
import { NOW, SECOND } from '../samples.js'

const law = lawOf('attempts')
const LIMIT = { count: 3, window: 60 * SECOND }
const END = NOW + LIMIT.window

/** Contract tests for limiting attempts, such as logins to an account or from an address. */
export const attemptLimiterLaws: readonly Law[] = [
  law('attempts are allowed up to the limit, and further attempts are refused until the window ends')
    .protects('An attacker can guess only a limited number of passwords.')
    .check(async (store) => {
      for (const at of [NOW, NOW + SECOND, END - 1]) await takeAttempt(store, ['ann'], at)
      for (const at of [END - 1, NOW])
        assert.deepEqual(await take(store, ['ann'], at), { kind: 'refused', until: END })
    }),
  law('a name gets its full limit for a new window when the old window ends')
    .protects('No account is locked out permanently.')
    .check(async (store) => {
      for (let count = 0; count < 3; count += 1) await takeAttempt(store, ['ann'], NOW)
      for (let count = 0; count < 3; count += 1) await takeAttempt(store, ['ann'], END)
      const refused = { kind: 'refused', until: END + LIMIT.window }
      assert.deepEqual(await take(store, ['ann'], END + 1), refused)
    }),
  law('many names have their full limits again after their windows end at the same time')
    .protects('An attack on many accounts does not lock any of them out permanently.')
    .check(async (store) => {
      const names = numbersBelow(20).map((index) => `account ${index}`)
      for (let count = 0; count < 3; count += 1)
        for (const name of names) await takeAttempt(store, [name], NOW)
      for (const name of [...names.slice(10), ...names.slice(0, 10).toReversed()])
        await takeAttempt(store, [name], END)
    }),
  law('names are compared exactly and counted separately')
    .protects('An attack on one account does not affect another account.')
    .check(async (store) => {
      for (let count = 0; count < 3; count += 1) await takeAttempt(store, ['ann'], NOW)
      for (const other of ['Ann', 'ann ', 'an', '']) await takeAttempt(store, [other], NOW)
    }),
  law(
    'an attempt is counted under all its names or under none, and a refused attempt may be repeated once the windows of all its names have ended',
  )
    .protects('A refused attempt does not use up the limit of other names.')
    .check(async (store) => {
      await takeAttempt(store, ['address', 'ann'], NOW)
      await takeAttempt(store, ['address', 'bob'], NOW)
      await takeAttempt(store, ['address', 'bob'], NOW)
      for (const names of [
        ['ann', 'address'],
        ['address', 'ann'],
      ]) {
        const refused = await take(store, names, NOW + SECOND)
        assert.deepEqual(refused, { kind: 'refused', until: END })
      }
      for (let count = 0; count < 2; count += 1) await takeAttempt(store, ['ann'], NOW)
      assert.equal((await take(store, ['ann'], NOW)).kind, 'refused')
    }),
  law(
    'every name has its own limit and window, and an attempt is refused until every name is below its limit',
  )
    .protects(
      'A network can have a higher limit than one account, and a limit per minute works together with a limit per hour.',
    )
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
      // The refused attempts did not use up the limit of the other name.
      attemptOf(await store.attempts.take([minute], NOW + 3_599 * SECOND))
      attemptOf(await store.attempts.take([hour], NOW + 3_600 * SECOND))
    }),
  law('a refunded attempt can be made again')
    .protects('A user who enters the right password can log in any number of times.')
    .check(async (store) => {
      for (let count = 0; count < 20; count += 1)
        await store.attempts.refund(await takeAttempt(store, ['ann', 'address'], NOW))
      for (let count = 0; count < 3; count += 1) await takeAttempt(store, ['ann', 'address'], NOW)
      assert.equal((await take(store, ['address'], NOW)).kind, 'refused')
    }),
  law('a refund restores one attempt and does not change the window')
    .protects(
      'A successful login gives an attacker no additional guesses and does not make the user wait longer.',
    )
    .check(async (store) => {
      const first = await takeAttempt(store, ['ann'], NOW)
      for (const at of [NOW, NOW + SECOND]) await takeAttempt(store, ['ann'], at)
      await store.attempts.refund(first)
      await takeAttempt(store, ['ann'], NOW + 2 * SECOND)
      assert.deepEqual(await take(store, ['ann'], END - 1), { kind: 'refused', until: END })
    }),
  law('a refund after the window ends changes nothing')
    .protects('A very slow login gives an attacker no additional guess.')
    .check(async (store) => {
      const late = await takeAttempt(store, ['ann'], NOW)
      for (let count = 0; count < 3; count += 1) await takeAttempt(store, ['ann'], END)
      await store.attempts.refund(late)
      assert.equal((await take(store, ['ann'], END)).kind, 'refused')
      const purged = await takeAttempt(store, ['bob'], NOW)
      await store.attempts.purge(END, 10)
      await store.attempts.refund(purged)
      for (let count = 0; count < 3; count += 1) await takeAttempt(store, ['bob'], END)
      assert.equal((await take(store, ['bob'], END)).kind, 'refused')
    }),
  law('clear removes only the counts of a name and of names that start with that name and a space')
    .protects('An operator can unlock one account without unlocking another account or a network.')
    .check(async (store) => {
      const cleared = ['ann', 'ann from 192.0.2.1', 'ann from 2001:db8::/64', 'code ann']
      const kept = ['ann!', 'anna', 'an', 'Ann', 'ann\u00a0from', 'by ann', 'from 192.0.2.1']
      for (const name of [...cleared, ...kept])
        for (let count = 0; count < 3; count += 1) await takeAttempt(store, [name], NOW)
      await store.attempts.clear(['ann', 'code ann'])
      for (const name of cleared) {
        for (let count = 0; count < 3; count += 1) await takeAttempt(store, [name], NOW + SECOND)
        const refused = { kind: 'refused', until: END + SECOND }
        assert.deepEqual(await take(store, [name], NOW + SECOND), refused)
      }
      for (const name of kept)
        assert.deepEqual(await take(store, [name], NOW + SECOND), { kind: 'refused', until: END })
    }),
  law('clear without counts changes nothing, and a refund of a cleared attempt restores no attempt')
    .protects(
      'A login that is in progress while the account is unlocked gives an attacker no additional guess.',
    )
    .check(async (store) => {
      await store.attempts.clear(['ann'])
      const first = await takeAttempt(store, ['ann'], NOW)
      await store.attempts.clear([])
      await store.attempts.clear(['ann', 'bob'])
      await store.attempts.refund(first)
      for (let count = 0; count < 3; count += 1) await takeAttempt(store, ['ann'], NOW + SECOND)
      await store.attempts.refund(first)
      assert.equal((await take(store, ['ann'], NOW + SECOND)).kind, 'refused')
    }),
  law('of 16 concurrent attempts, no more than the limit are allowed')
    .protects('Concurrent guesses cannot exceed the limit.')
    .inRounds(async (store, round) => {
      const names = [`account ${round}`, `address ${round}`]
      await assertRace({ taken: 3, refused: 13 }, () => take(store, names, NOW))
    }),
  law('16 concurrent refunds all take effect')
    .protects('Users who log in concurrently from one network do not use up its limit.')
    .inRounds(async (store, round) => {
      const counts = [{ name: `network ${round}`, limit: { ...LIMIT, count: 16 } }]
      const fill = async () => {
        const attempts = await race(async () => attemptOf(await store.attempts.take(counts, NOW)))
        assert.equal((await store.attempts.take(counts, NOW)).kind, 'refused')
        return attempts
      }
      const attempts = await fill()
      await race((caller) => store.attempts.refund(attempts[caller] ?? assert.fail()))
      await fill()
    }),
  law('16 concurrent clears all take effect')
    .protects('Accounts that are unlocked concurrently are all unlocked.')
    .inRounds(async (store, round) => {
      const limit = { ...LIMIT, count: 1 }
      const counts = numbersBelow(16).map((index) => ({ name: `account ${round} ${index}`, limit }))
      for (const count of counts) attemptOf(await store.attempts.take([count], NOW))
      await race((caller) => store.attempts.clear([counts[caller]?.name ?? assert.fail()]))
      for (const count of counts) attemptOf(await store.attempts.take([count], NOW))
    }),
  law('a refused attempt does not use up the limit of a concurrent attempt')
    .protects('A refused guess does not block a concurrent login.')
    .inRounds(async (store, round) => {
      const limit = { ...LIMIT, count: 1 }
      const wide = { name: `account ${round}`, limit }
      const outcomes = await race((caller) => {
        const narrow = { name: `pair ${round} ${caller >> 1}`, limit }
        return store.attempts.take(caller % 2 === 0 ? [narrow, wide] : [narrow], NOW)
      })
      // One attempt of each pair is accepted: the first, or the second if the account's limit refuses the first.
      for (let pair = 0; pair < outcomes.length; pair += 2) {
        const kinds = outcomes.slice(pair, pair + 2).map(({ kind }) => kind)
        assert.deepEqual(tally(kinds), { taken: 1, refused: 1 })
      }
    }),
  law('purge removes at most the given number of expired counts and returns how many it removed')
    .protects('The counts of a long attack are eventually removed.')
    .check(async (store) => {
      for (const name of ['a', 'b', 'c']) await takeAttempt(store, [name], NOW)
      assert.equal(await store.attempts.purge(END - 1, 10), 0)
      assert.equal(await store.attempts.purge(END, 2), 2)
      assert.equal(await store.attempts.purge(END, 10), 1)
      assert.equal(await store.attempts.purge(END, 10), 0)
    }),
  law('16 concurrent purges count each name once')
    .protects('The reported number of removed records is correct.')
    .inRounds(async (store, round) => {
      for (const name of numbersBelow(5)) await takeAttempt(store, [`${round} ${name}`], NOW)
      assert.equal(sumOf(await race(() => store.attempts.purge(END, 10))), 5)
    }),
]

async function takeAttempt(store: Store, names: readonly string[], at: number): Promise<Attempt> {
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
