import { expect } from 'chai'
import fc from 'fast-check'
import { bytes, milliseconds } from '../../src/configuration/units.js'

const count = fc.integer({ min: 0, max: 999_999_999 })

describe('a duration', () => {
  const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

  it('is a number followed by one unit', () => {
    const unit = fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[]))
    fc.assert(fc.property(count, unit, (many, one) => milliseconds(`${many}${one}`) === many * units[one]))
    expect(milliseconds('0')).to.equal(0)
  })

  it('is rejected in any other form', () => {
    const looksRight = /^(0|\d{1,9}(ms|s|m|h|d))$/
    const near = fc.stringMatching(/^[-+ ]?[0-9.]{0,11}[a-zA-Z ]{0,3}$/)
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (text) => {
        fc.pre(!looksRight.test(text))
        return milliseconds(text) === undefined
      }),
    )
  })
})

describe('a size', () => {
  const units = { '': 1, b: 1, kb: 1_024, mb: 1_048_576 }

  it('is a number followed by one unit, in upper or lower case', () => {
    const unit = fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[]))
    fc.assert(
      fc.property(count, unit, fc.boolean(), (many, one, upper) => {
        const text = `${many}${one}`
        return bytes(upper ? text.toUpperCase() : text) === many * units[one]
      }),
    )
  })

  it('is rejected in any other form', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^\d{1,9}(b|kb|mb|)$/i.test(text))
        return bytes(text) === undefined
      }),
    )
  })
})
