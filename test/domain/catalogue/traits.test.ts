import { expect } from 'chai'
import fc from 'fast-check'
import {
  age,
  breed,
  changeTraits,
  type Traits,
  type TraitsChange,
} from '../../../src/domain/catalogue/traits.js'

const boolean = fc.boolean()
const members = { requiredKeys: [] as [] }
const catMembers = { age: fc.integer({ min: 0, max: 200 }), hunts: boolean }
const dogMembers = { bark: boolean, breed: fc.string() }
const cat = fc
  .oneof(fc.record(catMembers), fc.record(catMembers, { requiredKeys: ['age'] }))
  .map((some) => ({ kind: 'cat', ...some }) as Traits)
const dog = fc
  .oneof(fc.record(dogMembers), fc.record(dogMembers, { requiredKeys: ['bark'] }))
  .map((some) => ({ kind: 'dog', ...some }) as Traits)
const traits = fc.oneof(cat, dog)
const orNull = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null })
const catChange = fc
  .record({ age: orNull(catMembers.age), hunts: orNull(boolean) }, members)
  .map((some) => ({ kind: 'cat', ...some }) as TraitsChange)
const dogChange = fc
  .record({ bark: orNull(boolean), breed: orNull(dogMembers.breed) }, members)
  .map((some) => ({ kind: 'dog', ...some }) as TraitsChange)
const change = fc.oneof(catChange, dogChange)

/** Implements RFC 7396, section 2, for objects without nested objects. */
function mergePatch(target: object, patch: object): object {
  const result: Record<string, unknown> = { ...target }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(result, name)
    else result[name] = value
  }
  return result
}

describe('age', () => {
  it('is a whole number from 0 to 200', () => {
    for (let years = -5; years <= 205; years += 1) expect(age(years).ok).to.equal(years >= 0 && years <= 200)
    fc.assert(
      fc.property(fc.double(), (years) => {
        const fine = years >= 0 && years <= 200 && years === Math.floor(years)
        expect(age(years).ok).to.equal(fine)
      }),
    )
  })
})

describe('an invalid age or breed', () => {
  it('is rejected with the violated rule', () => {
    expect(age(201)).to.deep.equal({ ok: false, type: 'NotValid', rule: 'must be an integer from 0 to 200' })
    expect(breed('')).to.deep.equal({ ok: false, type: 'Length', rule: 'must have 1 to 100 characters' })
    expect(breed('b'.repeat(101)).ok).to.equal(false)
    expect(breed('b'.repeat(100))).to.deep.equal({ ok: true, value: 'b'.repeat(100) })
  })
})

describe('changeTraits', () => {
  it('keeps the traits that a change of the same kind omits', () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(cat, cat), fc.tuple(dog, dog)), ([before, change]) => {
        expect(changeTraits(before, change)).to.deep.equal(Object.assign({}, before, change))
      }),
    )
  })

  it('replaces cat traits with dog traits and vice versa, and sets traits that were missing', () => {
    fc.assert(
      fc.property(cat, dog, (one, other) => {
        expect(changeTraits(one, other)).to.deep.equal(other)
        expect(changeTraits(other, one)).to.deep.equal(one)
        expect(changeTraits(undefined, one)).to.deep.equal(one)
      }),
    )
  })

  it('merges traits of the same kind as RFC 7396 does, and returns `undefined` if no trait remains', () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(cat, catChange), fc.tuple(dog, dogChange)), ([before, patch]) => {
        const merged = mergePatch(before, patch)
        const expected = Object.keys(merged).length > 1 ? merged : undefined
        expect(changeTraits(before, patch)).to.deep.equal(expected)
      }),
    )
  })

  it('keeps cat traits if a change only removes dog traits', () => {
    const nothing: TraitsChange = { kind: 'dog', bark: null, breed: null }
    fc.assert(
      fc.property(cat, (before) => {
        expect(changeTraits(before, nothing)).to.deep.equal(before)
      }),
    )
    expect(changeTraits(undefined, nothing)).to.equal(undefined)
  })

  it('does not mutate its arguments, and is idempotent', () => {
    fc.assert(
      fc.property(fc.option(traits, { nil: undefined }), change, (before, patch) => {
        const copies = structuredClone([before, patch])
        const after = changeTraits(before, patch)
        expect([before, patch]).to.deep.equal(copies)
        if (after !== undefined) expect(after).to.not.be.oneOf([before, patch])
        expect(changeTraits(after, patch)).to.deep.equal(after)
      }),
    )
  })
})
