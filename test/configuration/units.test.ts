import { expect } from 'chai'
import { bytes } from '../../src/configuration/units.js'

// The cases in reader-cases.ts cover the other forms, and durations.
describe('a size', () => {
  it('is a number followed by one unit, in upper or lower case', () => {
    const sizes = {
      '7': 7,
      '7b': 7,
      '7B': 7,
      '7kb': 7_168,
      '7Kb': 7_168,
      '7mb': 7_340_032,
      '007MB': 7_340_032,
    }
    expect(Object.keys(sizes).map(bytes)).to.deep.equal(Object.values(sizes))
  })
})
