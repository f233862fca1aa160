import { expect } from 'chai'
import fc from 'fast-check'
import { createAscending } from '../../../src/adapters/memory/ascending.js'

describe('the ascending table of the memory store', () => {
  it('returns the same pages as a filtered list, after any deletions', () => {
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

  it('never assigns an ID twice, even after the last row was deleted', () => {
    const rows = createAscending<number, string>()
    const first = rows.add(() => 'first')
    expect(rows.delete(first)).to.equal(true)
    expect(rows.delete(first)).to.equal(false)
    expect(rows.add(() => 'second')).to.equal(first + 1)
    expect(rows.get(first)).to.equal(undefined)
  })
})
