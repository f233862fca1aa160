import { expect } from 'chai'
import fc from 'fast-check'
import { createDeadlines } from '../../../src/adapters/memory/deadlines.js'

const key = fc.integer({ min: 0, max: 20 })
const moment = fc.integer({ min: 0, max: 50 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), key, at: moment }),
  fc.record({ kind: fc.constant('delete' as const), key }),
  fc.record({ kind: fc.constant('take' as const), at: moment, limit: fc.integer({ min: 0, max: 5 }) }),
)

describe('the deadlines of the memory store', () => {
  it('return the same keys as a sorted list after any changes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const deadlines = createDeadlines<number, number>()
        const list = new Map<number, number>()
        for (const one of steps) {
          if (one.kind === 'set') {
            deadlines.set(one.key, one.at, one.key)
            list.set(one.key, one.at)
          } else if (one.kind === 'delete') {
            deadlines.delete(one.key)
            list.delete(one.key)
          } else {
            const over = [...list].filter(([, at]) => at <= one.at).map(([, at]) => at)
            const expected = over.toSorted((left, right) => left - right).slice(0, one.limit)
            const taken = deadlines.takeOver(one.at, one.limit)
            expect(taken.map((name) => list.get(name))).to.deep.equal(expected)
            for (const name of taken) list.delete(name)
          }
        }
      }),
    )
  })
})
