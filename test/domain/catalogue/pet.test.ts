import { expect } from 'chai'
import fc from 'fast-check'
import { category, CATEGORIES, petId, petName, petTag } from '../../../src/domain/catalogue/pet.js'

// The tests of plain text and of positive integers show which texts they accept.
describe('the text of a pet', () => {
  it('is a name of 1 to 200 characters, without surrounding white space', () => {
    for (const one of ['a', 'é', '日', '🐕']) {
      const name = one.repeat(200)
      expect(petName(` ${name}\n`)).to.deep.equal({ ok: true, value: name })
      const rule = 'must have 1 to 200 characters'
      expect(petName(`${name}${one}`)).to.deep.equal({ ok: false, type: 'Length', rule })
    }
    expect(petName(' \t ')).to.include({ ok: false, type: 'Length' })
    expect(petName('a\u0000b')).to.include({ ok: false, type: 'Format' })
  })

  it('is a tag of 1 to 100 characters, unchanged', () => {
    const tag = ` ${'🐕'.repeat(98)} `
    expect(petTag(tag)).to.deep.equal({ ok: true, value: tag })
    for (const wrong of ['', 'a'.repeat(101)]) expect(petTag(wrong)).to.include({ ok: false, type: 'Length' })
    expect(petTag('a\ud83d')).to.include({ ok: false, type: 'Format' })
  })
})

describe('the ID of a pet', () => {
  it('is a positive integer in plain decimal form', () => {
    expect(petId('9007199254740991')).to.equal(2 ** 53 - 1)
    for (const text of ['0', '01', '9007199254740992', '1\n']) expect(petId(text), text).to.equal(undefined)
  })
})

describe('the category of a pet', () => {
  it('accepts the three listed texts only', () => {
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
