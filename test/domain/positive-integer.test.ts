import { expect } from 'chai'
import { isPositiveInteger } from '../../src/domain/positive-integer.js'

describe('a positive integer', () => {
  it('is told by its value', () => {
    expect([1, 2 ** 53 - 1].every(isPositiveInteger)).to.equal(true)
    expect([0, -1, 1.5, 2 ** 53, Number.NaN, '1', null].some(isPositiveInteger)).to.equal(false)
  })
})
