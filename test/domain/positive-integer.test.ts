import { expect } from 'chai'
import fc from 'fast-check'
import { isPositiveInteger, positiveIntegerIn } from '../../src/domain/positive-integer.js'

describe('a positive integer', () => {
  it('is a safe integer above 0', () => {
    expect([1, 2 ** 53 - 1].every(isPositiveInteger)).to.equal(true)
    expect([0, -1, 1.5, 2 ** 53, Number.NaN, '1', null].some(isPositiveInteger)).to.equal(false)
  })
})

describe('a positive integer in a string', () => {
  it('is accepted only in plain decimal form', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (value) => {
        expect(positiveIntegerIn(String(value))).to.equal(value)
      }),
    )
    const beyond = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }).map(String)
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String), beyond), (text) => {
        const value = positiveIntegerIn(text)
        expect(value === undefined || (String(value) === text && isPositiveInteger(value))).to.equal(true)
      }),
    )
    for (const text of [
      ...['', '0', '01', '-1', '+1', ' 1', '1 ', '1\n', '\n1', '1\0', '1.0', '1e3', '0x1', '1n', '1_0', '١'],
      ...['9007199254740992', '9'.repeat(17), 'x'],
    ])
      expect(positiveIntegerIn(text), text).to.equal(undefined)
  })
})
