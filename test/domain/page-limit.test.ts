import { expect } from 'chai'
import fc from 'fast-check'
import { pageLimit } from '../../src/domain/page-limit.js'

describe('pageLimit', () => {
  it('is a whole number from 1 to 100 in its plain decimal form', () => {
    for (let limit = -10; limit <= 1100; limit += 1) {
      expect(pageLimit(String(limit)), String(limit)).to.equal(limit >= 1 && limit <= 100 ? limit : undefined)
    }
  })

  it('is undefined for any other text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String)), (text) => {
        const limit = pageLimit(text)
        expect(limit === undefined || String(limit) === text).to.equal(true)
      }),
    )
    for (const text of ['', '007', '1.0', '1e1', '+1', ' 1', '1\n', '٧', '0x1', '100.', '1,0']) {
      expect(pageLimit(text), text).to.equal(undefined)
    }
  })
})
