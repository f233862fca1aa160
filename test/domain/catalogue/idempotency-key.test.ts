import { expect } from 'chai'
import fc from 'fast-check'
import { idempotencyKey } from '../../../src/domain/catalogue/idempotency-key.js'

describe('idempotencyKey', () => {
  const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))

  it('is 1 to 255 visible characters, taken as they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: visible, minLength: 1, maxLength: 255 }), (text) => {
        expect(idempotencyKey(text)).to.deep.equal({ ok: true, value: text })
      }),
    )
  })

  it('has no other characters, and at most 255', () => {
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
