import { expect } from 'chai'
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
  it('is limited to the three listed values', () => {
    for (const one of CATEGORIES) expect(category(one)).to.deep.equal({ ok: true, value: one })
    const rule = `must be one of ${CATEGORIES.join(', ')}`
    for (const wrong of ['', 'one', 'ONE', 'toString', '__proto__', '0', 'length'])
      expect(category(wrong)).to.deep.equal({ ok: false, type: 'NotValid', rule })
  })
})

describe('pet IDs', () => {
  it('are a list of at most 100 valid IDs in plain decimal form', () => {
    for (const wrong of [0, -1, 1.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])
      expect(petIds([1, wrong]).ok, String(wrong)).to.equal(false)
    const tooMany = Array.from({ length: 101 }, (_, at) => at + 1)
    const rule = 'must contain at most 100 positive integers'
    expect(petIds(tooMany)).to.deep.equal({ ok: false, type: 'NotValid', rule })
    const most = tooMany.slice(1)
    for (const parsed of [petIds(most), petIdsIn(most.join(','))])
      expect(parsed).to.deep.equal({ ok: true, value: most })
    expect(petIdsIn(tooMany.join(',')).ok).to.equal(false)
    for (const text of ['', '007', '1, 2', ','.repeat(100_000)]) expect(petIdsIn(text).ok).to.equal(false)
  })
})

describe('an idempotency key', () => {
  it('has 1 to 255 visible ASCII characters and is not changed', () => {
    for (const text of ['!', '~', 'k'.repeat(255)])
      expect(idempotencyKey(text)).to.deep.equal({ ok: true, value: text })
    const rule = 'must have 1 to 255 visible characters'
    for (const wrong of ['', 'k'.repeat(256), 'key\n', 'a b', '\u007f', '\u0000', 'é'])
      expect(idempotencyKey(wrong)).to.deep.equal({ ok: false, type: 'Format', rule })
  })
})

describe('age', () => {
  it('is a whole number from 0 to 200', () => {
    for (let years = -5; years <= 205; years += 1) expect(age(years).ok).to.equal(years >= 0 && years <= 200)
    for (const years of [1.5, Number.NaN, Infinity]) expect(age(years).ok).to.equal(false)
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
  const cat = { kind: 'cat', age: 3 } as const
  const dog = { kind: 'dog', bark: true, breed: 'Beagle' } as const
  const noDog = { kind: 'dog', bark: null, breed: null } as const
  for (const [what, before, change, after] of [
    ['replaces the traits of the other kind', cat, dog, dog],
    ['sets traits that were missing', undefined, cat, cat],
    ['keeps the traits that a change omits', cat, { kind: 'cat', hunts: true }, { ...cat, hunts: true }],
    ['removes a trait that is null', dog, { kind: 'dog', breed: null }, { kind: 'dog', bark: true }],
    ['returns `undefined` if no trait remains', dog, noDog, undefined],
    ['keeps cat traits if a change only removes dog traits', cat, noDog, cat],
    ['sets no traits if a change only removes traits', undefined, noDog, undefined],
  ] as const)
    it(what, () => {
      expect(changeTraits(before as Traits | undefined, change as TraitsChange)).to.deep.equal(after)
    })
})
