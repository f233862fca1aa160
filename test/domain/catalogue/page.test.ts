import { expect } from 'chai'
import fc from 'fast-check'
import { idempotencyKey } from '../../../src/domain/catalogue/idempotency-key.js'
import { pageLimit } from '../../../src/domain/catalogue/page.js'

describe('pageLimit', () => {
  it('is each whole number from 1 to 100 in its plain form, and no other', () => {
    for (let limit = -10; limit <= 1100; limit += 1) {
      expect(pageLimit(String(limit)), String(limit)).to.equal(limit >= 1 && limit <= 100 ? limit : undefined)
    }
  })

  it('is nothing for any other text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String)), (text) => {
        const limit = pageLimit(text)
        expect(limit === undefined || String(limit) === text).to.equal(true)
      }),
    )
    for (const text of ['', '007', '1.0', '1e1', '+1', ' 1', '1\n', '٧', '0x1', '100.', '1,0']) {
      expect(pageLimit(text), text).to.equal(undefined)
    }
  })
})

describe('idempotencyKey', () => {
  const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))

  it('is 1 to 255 visible characters, taken as they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: visible, minLength: 1, maxLength: 255 }), (text) => {
        expect(idempotencyKey(text)).to.deep.equal({ ok: true, value: text })
      }),
    )
  })

  it('has no other characters, and not more of them', () => {
    const other = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 1 })
      .filter((one) => !/[!-~]/.test(one))
    const text = fc.string({ unit: visible, maxLength: 20 })
    fc.assert(
      fc.property(text, other, text, (before, wrong, after) => {
        expect(idempotencyKey(before + wrong + after).ok).to.equal(false)
      }),
    )
    for (const wrong of ['', 'k'.repeat(256), 'key\n']) expect(idempotencyKey(wrong).ok).to.equal(false)
  })
})
