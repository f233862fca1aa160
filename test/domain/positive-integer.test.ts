import { expect } from 'chai'
import fc from 'fast-check'
import { isPositiveInteger, positiveIntegerIn } from '../../src/domain/positive-integer.js'

describe('a positive integer', () => {
  it('is told by its value', () => {
    expect([1, 2 ** 53 - 1].every(isPositiveInteger)).to.equal(true)
    expect([0, -1, 1.5, 2 ** 53, Number.NaN, '1', null].some(isPositiveInteger)).to.equal(false)
  })
})

describe('a positive integer in a text', () => {
  it('is there in plain decimal form alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (value) => {
        expect(positiveIntegerIn(String(value))).to.equal(value)
      }),
    )
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String)), (text) => {
        const value = positiveIntegerIn(text)
        expect(value === undefined || (String(value) === text && isPositiveInteger(value))).to.equal(true)
      }),
    )
  })
})
