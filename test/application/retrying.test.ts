import { expect } from 'chai'
import { createRetries, createRetrying, STALL_LIMIT } from '../../src/application/retrying.js'
import { refuse, transient, unavailable } from '../../src/domain/refusal.js'

const SLOW = transient('The store did not answer in time.')

/** Creates a task whose clock advances only during the task's calls and pauses. */
function task({ callTakes = 4_500, stopAfter = Infinity } = {}) {
  let now = 0
  const pauses: number[] = []
  const reports: string[] = []
  const retries = createRetries({
    now: () => now,
    pause: (duration) => {
      pauses.push(duration)
      now += duration
      return Promise.resolve()
    },
    isStopped: () => pauses.length >= stopAfter,
    onSlow: (reason) => reports.push(reason),
  })
  /** Returns a call that takes `callTakes` milliseconds and then fails with this error. */
  const failing = (error: Error) => () => {
    now += callTakes
    return Promise.reject(error)
  }
  return { retrying: createRetrying(retries), pauses, reports, failing, now: () => now }
}

describe('a long task with a slow store', () => {
  for (const failures of [1, 40])
    it(`retries a call after ${failures} failures, pauses after each failure and reports the reason once`, async () => {
      const { retrying, pauses, reports, failing } = task()
      let calls = 0
      const answer = await retrying(async () => {
        calls += 1
        return calls <= failures ? await failing(SLOW)() : 'answer'
      })
      expect([answer, calls]).to.deep.equal(['answer', failures + 1])
      expect(pauses).to.deep.equal(Array<number>(failures).fill(1_000))
      expect(reports).to.deep.equal(['The store did not answer in time.'])
    })

  for (const callTakes of [0, STALL_LIMIT + 1])
    it(`fails with the error after 5 minutes without a successful call, if calls take ${callTakes} ms`, async () => {
      const { retrying, failing, pauses, now } = task({ callTakes })
      const error: unknown = await retrying(failing(SLOW)).catch((reason: unknown) => reason)
      expect(error).to.equal(SLOW)
      const again = Math.ceil(STALL_LIMIT / (1_000 + callTakes))
      expect(pauses).to.have.lengthOf(again)
      // The time is counted from the first failure; the first call itself does not count.
      expect(now() - callTakes).to.equal(again * (1_000 + callTakes))
    })

  it('continues for longer than 5 minutes if the store responds occasionally', async () => {
    const { retrying, failing, now } = task()
    for (let answers = 0; answers < 5; answers += 1) {
      let left = 40
      await retrying(async () => (left-- > 0 ? await failing(SLOW)() : undefined))
    }
    expect(now()).to.be.greaterThan(2 * STALL_LIMIT)
  })

  for (const [name, error] of [
    ['a store that is permanently unavailable', unavailable('The disk is full.')],
    ['a defect', new Error('a defect')],
    ['a missing permission', refuse('forbidden', 'Forbidden', 'This is not permitted.')],
  ] as const)
    it(`does not retry a call that failed because of ${name}`, async () => {
      const { retrying, failing, pauses, reports } = task()
      const reason: unknown = await retrying(failing(error)).catch((thrown: unknown) => thrown)
      expect([reason, pauses, reports]).to.deep.equal([error, [], []])
    })

  for (const stopAfter of [0, 2])
    it(`makes no more calls if it is stopped after ${stopAfter} pauses`, async () => {
      const { retrying, failing, pauses } = task({ stopAfter })
      let calls = 0
      const error: unknown = await retrying(() => {
        calls += 1
        return failing(SLOW)()
      }).catch((reason: unknown) => reason)
      expect([error, calls, pauses.length]).to.deep.equal([SLOW, Math.max(1, stopAfter), stopAfter])
    })
})
