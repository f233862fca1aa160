import { expect } from 'chai'
import fc from 'fast-check'
import { createAscending, createDeadlines } from '../../../src/adapters/memory/collections.js'

describe('the sorted table of the memory store', () => {
  it('returns the same pages as a filtered list, whatever was deleted', () => {
    const numbers = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 30 })
    const after = fc.option(fc.integer({ min: 0, max: 35 }), { nil: undefined })
    fc.assert(
      fc.property(numbers, after, fc.integer({ min: 1, max: 35 }), (deleted, start, limit) => {
        const rows = createAscending<number, string>()
        for (let count = 0; count < 30; count += 1) rows.add((id) => `row ${id}`)
        for (const id of deleted) rows.delete(id)
        const left = Array.from({ length: 30 }, (_, index) => index + 1).filter((id) => !deleted.includes(id))
        const expected = left.filter((id) => id > (start ?? 0)).slice(0, limit)
        expect(rows.page(start, limit)).to.deep.equal(expected.map((id) => `row ${id}`))
        const back = left.filter((id) => id < (start ?? 99)).toReversed()
        expect(rows.page(start, limit, 'newest-first')).to.deep.equal(
          back.slice(0, limit).map((id) => `row ${id}`),
        )
      }),
    )
  })
})

const key = fc.integer({ min: 0, max: 20 })
const moment = fc.integer({ min: 0, max: 50 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), key, at: moment }),
  fc.record({ kind: fc.constant('delete' as const), key }),
  fc.record({ kind: fc.constant('take' as const), at: moment, limit: fc.integer({ min: 0, max: 5 }) }),
)

describe('the deadlines of the memory store', () => {
  it('return the same keys as a sorted list, whatever the changes', () => {
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
