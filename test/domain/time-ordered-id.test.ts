import { expect } from 'chai'
import fc from 'fast-check'
import { timePrefix } from '../../src/domain/time-ordered-id.js'

describe('the beginning of a time-ordered ID', () => {
  const moment = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) })

  it('sorts as its moments do', () => {
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        const [first, second] = [timePrefix(one), timePrefix(other)]
        expect(Math.sign(one - other)).to.equal(first < second ? -1 : first > second ? 1 : 0)
      }),
    )
  })

  it('has twelve digits, rounds down to milliseconds, and is zero before 1970', () => {
    expect(timePrefix(255)).to.equal('0000000000ff')
    expect(timePrefix(255.9)).to.equal('0000000000ff')
    expect(timePrefix(-1)).to.equal('000000000000')
  })
})
