import { expect } from 'chai'
import { pageLimit } from '../../src/domain/page-limit.js'

// The test of positive integers shows which texts are numbers.
describe('pageLimit', () => {
  it('is a whole number from 1 to 100 in its plain decimal form', () => {
    for (let limit = -10; limit <= 1100; limit += 1) {
      expect(pageLimit(String(limit)), String(limit)).to.equal(limit >= 1 && limit <= 100 ? limit : undefined)
    }
  })
})
