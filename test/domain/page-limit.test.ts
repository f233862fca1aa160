import { expect } from 'chai'
import { pageLimit, pageOf } from '../../src/domain/page-limit.js'

// `parsed.test.ts` tests which strings are accepted as numbers.
describe('pageLimit', () => {
  it('is a whole number from 1 to 100 in plain decimal form', () => {
    for (let limit = -10; limit <= 1100; limit += 1) {
      expect(pageLimit(String(limit)), String(limit)).to.equal(limit >= 1 && limit <= 100 ? limit : undefined)
    }
  })
})

describe('a page', () => {
  const items = [3, 5, 8].map((id) => ({ id }))

  it('gives the ID of its last item as the start of the next page if more items follow', () => {
    expect(pageOf('pets', items, 1)).to.deep.equal({ pets: items.slice(0, 1), next: 3 })
    expect(pageOf('pets', items, 2)).to.deep.equal({ pets: items.slice(0, 2), next: 5 })
  })

  it('has no next page if no more items follow', () => {
    expect(pageOf('pets', items, 3)).to.deep.equal({ pets: items })
    expect(pageOf('pets', [], 3)).to.deep.equal({ pets: [] })
  })
})
