import { expect } from 'chai'
import { memoryAttempts } from '../../../src/adapters/memory/attempt-limiter.js'

const NOW = Date.UTC(2026, 0, 2)
const LIMIT = { count: 2, window: 60_000 }
const END = NOW + LIMIT.window
const countsOf = (...names: readonly string[]) => names.map((name) => ({ name, limit: LIMIT }))

describe('the memory attempt counter', () => {
  it('removes two expired counts for each new count, so an attack leaves at most the counts of one window', () => {
    const attempts = memoryAttempts()
    for (let index = 0; index < 10; index += 1) attempts.take(countsOf(`old ${index}`), NOW)
    attempts.take(countsOf('new', 'newer'), END)
    expect(attempts.purge(END, 100)).to.equal(10 - 4)
  })

  it('never falls below zero, however often an attempt is refunded', () => {
    const attempts = memoryAttempts()
    const taken = attempts.take(countsOf('ann'), NOW)
    for (let refund = 0; refund < 3; refund += 1) if (taken.kind === 'taken') attempts.refund(taken.attempt)
    const outcomes = [1, 2, 3].map(() => attempts.take(countsOf('ann'), NOW).kind)
    expect(outcomes).to.deep.equal(['taken', 'taken', 'refused'])
  })
})
