import { expect } from 'chai'
import fc from 'fast-check'
import { age, changeTraits, type Traits } from '../../../src/domain/catalogue/traits.js'

const boolean = fc.boolean()
const members = { requiredKeys: [] as [] }
const cat = fc
  .record({ age: fc.integer({ min: 0, max: 200 }), hunts: boolean }, members)
  .map((some) => ({ kind: 'cat', ...some }) as Traits)
const dog = fc
  .record({ bark: boolean, breed: fc.string() }, members)
  .map((some) => ({ kind: 'dog', ...some }) as Traits)
const traits = fc.oneof(cat, dog)

describe('age', () => {
  it('is whole and from 0 to 200', () => {
    for (let years = -5; years <= 205; years += 1) expect(age(years).ok).to.equal(years >= 0 && years <= 200)
    fc.assert(
      fc.property(fc.double(), (years) => {
        const fine = years >= 0 && years <= 200 && years === Math.floor(years)
        expect(age(years).ok).to.equal(fine)
      }),
    )
  })
})

describe('changeTraits', () => {
  it('keeps what the change does not name, within one shape', () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(cat, cat), fc.tuple(dog, dog)), ([before, change]) => {
        expect(changeTraits(before, change)).to.deep.equal(Object.assign({}, before, change))
      }),
    )
  })

  it('is the change alone in another shape, and where there was none', () => {
    fc.assert(
      fc.property(cat, dog, (one, other) => {
        expect(changeTraits(one, other)).to.deep.equal(other)
        expect(changeTraits(other, one)).to.deep.equal(one)
        expect(changeTraits(undefined, one)).to.deep.equal(one)
      }),
    )
  })

  it('changes nothing in place and does the same when done twice', () => {
    fc.assert(
      fc.property(traits, traits, (before, change) => {
        const copies = structuredClone([before, change])
        const after = changeTraits(before, change)
        expect([before, change]).to.deep.equal(copies)
        expect(after).to.not.equal(change)
        expect(changeTraits(after, change)).to.deep.equal(after)
      }),
    )
  })
})
