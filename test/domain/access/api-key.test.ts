import { expect } from 'chai'
import {
  apiKeyExpiry,
  apiKeyId,
  apiKeyName,
  hasExpired,
  hourOfUse,
} from '../../../src/domain/access/api-key.js'

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

describe('an API key', () => {
  it('has a name of 1 to 100 characters, without surrounding white space', () => {
    expect(apiKeyName('  billing \n')).to.deep.equal({ ok: true, value: 'billing' })
    expect(apiKeyName('ü'.repeat(100))).to.deep.equal({ ok: true, value: 'ü'.repeat(100) })
    for (const wrong of ['', '   ', 'n'.repeat(101)])
      expect(apiKeyName(wrong)).to.include({ ok: false, type: 'Length' })
    expect(apiKeyName('one\ttwo')).to.include({ ok: false, type: 'Format' })
  })

  it('has a positive integer in plain decimal form as its ID', () => {
    expect(apiKeyId('1')).to.deep.equal({ ok: true, value: 1 })
    expect(apiKeyId(String(Number.MAX_SAFE_INTEGER))).to.deep.equal({ ok: true, value: 2 ** 53 - 1 })
    const rule = 'must be the id of an API key, a positive integer'
    for (const text of ['', '0', '01', '1e3', ' 1', '1\n', '٧', String(2 ** 53)])
      expect(apiKeyId(text), text).to.deep.equal({ ok: false, type: 'Format', rule })
  })

  it('stores its last use rounded down to the hour in UTC', () => {
    const hour = Date.UTC(2026, 0, 2, 3)
    expect([hourOfUse(NOW), hourOfUse(hour)]).to.deep.equal([hour, hour])
  })
})

describe('the expiration time of an API key', () => {
  const YEAR = 365.25 * 86_400_000

  it('is at most ten years in the future', () => {
    const last = NOW + 3_653 * 86_400_000
    for (const at of [NOW + 1, NOW + 10 * YEAR, last])
      expect(apiKeyExpiry(at, NOW)).to.deep.equal({ ok: true, value: at })
    const rule = 'must be a time within the next ten years'
    for (const at of [last + 1, NOW, NOW - 1, 0, NOW + 1_000 * YEAR, NOW + 0.5, Number.NaN, Infinity])
      expect(apiKeyExpiry(at, NOW), String(at)).to.deep.equal({ ok: false, type: 'NotValid', rule })
  })

  it('is the first instant at which the key is invalid', () => {
    const expired = [NOW - 1, NOW, NOW + 1].map((at) => hasExpired({ expiresAt: NOW }, at))
    expect(expired).to.deep.equal([false, true, true])
    expect(hasExpired({}, Number.MAX_SAFE_INTEGER)).to.equal(false)
  })
})
