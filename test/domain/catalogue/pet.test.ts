import { expect } from 'chai'
import fc from 'fast-check'
import {
  category,
  CATEGORIES,
  idempotencyKey,
  petId,
  petIds,
  petIdsIn,
  petName,
  petTag,
  age,
  breed,
  changeTraits,
  type Traits,
  type TraitsChange,
} from '../../../src/domain/catalogue/pet.js'

// `parsed.test.ts` tests which strings are accepted.
describe('the text fields of a pet', () => {
  it('include a name of 1 to 200 characters, without surrounding white space', () => {
    for (const one of ['a', 'é', '日', '🐕']) {
      const name = one.repeat(200)
      expect(petName(` ${name}\n`)).to.deep.equal({ ok: true, value: name })
      const rule = 'must have 1 to 200 characters'
      expect(petName(`${name}${one}`)).to.deep.equal({ ok: false, type: 'Length', rule })
    }
    expect(petName(' \t ')).to.include({ ok: false, type: 'Length' })
    expect(petName('a\u0000b')).to.include({ ok: false, type: 'Format' })
  })

  it('include a tag of 1 to 100 characters, which is stored unchanged', () => {
    const tag = ` ${'🐕'.repeat(98)} `
    expect(petTag(tag)).to.deep.equal({ ok: true, value: tag })
    for (const wrong of ['', 'a'.repeat(101)]) expect(petTag(wrong)).to.include({ ok: false, type: 'Length' })
    expect(petTag('a\ud83d')).to.include({ ok: false, type: 'Format' })
  })
})

describe('a pet ID', () => {
  it('is a positive integer in plain decimal form', () => {
    expect(petId('9007199254740991')).to.equal(2 ** 53 - 1)
    for (const text of ['0', '01', '9007199254740992', '1\n']) expect(petId(text), text).to.equal(undefined)
  })
})

describe('a pet category', () => {
  it('accepts only the three listed values', () => {
    for (const one of CATEGORIES) expect(category(one)).to.deep.equal({ ok: true, value: one })
    const text = fc.oneof(fc.string(), fc.constantFrom('one', 'ONE', 'toString', '__proto__', '0', 'length'))
    const rule = `must be one of ${CATEGORIES.join(', ')}`
    fc.assert(
      fc.property(text, (wrong) => {
        fc.pre(!(CATEGORIES as readonly string[]).includes(wrong))
        expect(category(wrong)).to.deep.equal({ ok: false, type: 'NotValid', rule })
      }),
    )
  })
})

describe('pet IDs', () => {
  const ids = fc.array(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { maxLength: 100 })

  it('are at most 100 valid IDs, in the given order', () => {
    fc.assert(
      fc.property(ids, (some) => {
        expect(petIds(some)).to.deep.equal({ ok: true, value: some })
        if (some.length > 0) expect(petIdsIn(some.join(','))).to.deep.equal({ ok: true, value: some })
      }),
    )
  })

  it('are rejected if an ID is invalid or if there are more than 100', () => {
    for (const wrong of [0, -1, 1.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])
      expect(petIds([1, wrong]).ok, String(wrong)).to.equal(false)
    const tooMany = Array.from({ length: 101 }, (_, at) => at + 1)
    const rule = 'must contain at most 100 positive integers'
    expect(petIds(tooMany)).to.deep.equal({ ok: false, type: 'NotValid', rule })
    expect(petIds(tooMany.slice(1)).ok).to.equal(true)
    expect(petIdsIn(tooMany.slice(1).join(',')).ok).to.equal(true)
    expect(petIdsIn(tooMany.join(',')).ok).to.equal(false)
    expect(petIdsIn(','.repeat(100_000)).ok).to.equal(false)
  })

  it('are accepted in a list only in plain decimal form', () => {
    for (const text of ['', '007', '1;2', '1, 2']) expect(petIdsIn(text).ok, text).to.equal(false)
  })
})

describe('an idempotency key', () => {
  const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))

  it('has 1 to 255 visible ASCII characters and is not changed', () => {
    fc.assert(
      fc.property(fc.string({ unit: visible, minLength: 1, maxLength: 255 }), (text) => {
        expect(idempotencyKey(text)).to.deep.equal({ ok: true, value: text })
      }),
    )
  })

  it('is rejected with other characters, or with more than 255 characters', () => {
    const other = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 1 })
      .filter((one) => !/[!-~]/.test(one))
    const text = fc.string({ unit: visible, maxLength: 20 })
    fc.assert(
      fc.property(text, other, text, (before, wrong, after) => {
        expect(idempotencyKey(before + wrong + after).ok).to.equal(false)
      }),
    )
    const rule = 'must have 1 to 255 visible characters'
    for (const wrong of ['', 'k'.repeat(256), 'key\n'])
      expect(idempotencyKey(wrong)).to.deep.equal({ ok: false, type: 'Format', rule })
  })
})

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
