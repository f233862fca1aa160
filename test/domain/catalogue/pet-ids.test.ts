import { expect } from 'chai'
import fc from 'fast-check'
import { petIds, petIdsIn } from '../../../src/domain/catalogue/pet-ids.js'

const ids = fc.array(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { maxLength: 100 })

describe('ids of pets', () => {
  it('are at most 100 valid IDs, in the given order', () => {
    fc.assert(
      fc.property(ids, (some) => {
        expect(petIds(some)).to.deep.equal({ ok: true, value: some })
        if (some.length > 0) expect(petIdsIn(some.join(','))).to.deep.equal({ ok: true, value: some })
      }),
    )
  })

  it('are rejected if an ID is invalid, or if there are too many', () => {
    for (const wrong of [0, -1, 1.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])
      expect(petIds([1, wrong]).ok, String(wrong)).to.equal(false)
    const tooMany = Array.from({ length: 101 }, (_, at) => at + 1)
    const rule = 'must hold at most 100 ids, which are positive integers'
    expect(petIds(tooMany)).to.deep.equal({ ok: false, type: 'NotValid', rule })
    expect(petIds(tooMany.slice(1)).ok).to.equal(true)
    expect(petIdsIn(tooMany.slice(1).join(',')).ok).to.equal(true)
    expect(petIdsIn(tooMany.join(',')).ok).to.equal(false)
    expect(petIdsIn(','.repeat(100_000)).ok).to.equal(false)
  })

  it('are written in plain decimal form', () => {
    for (const text of ['', '007', '1.0', '1e1', '+1', ' 1', '1;2', '[1]', '٧'])
      expect(petIdsIn(text).ok, text).to.equal(false)
  })
})
