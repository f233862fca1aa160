import { expect } from 'chai'
import {
  apiKeyExpiry,
  apiKeyId,
  apiKeyName,
  hasExpired,
  hourOfUse,
} from '../../../src/domain/access/api-key.js'

describe('the name of an API key', () => {
  it('is 1 to 100 characters, without the white space around them', () => {
    expect(apiKeyName('  billing \n')).to.deep.equal({ ok: true, value: 'billing' })
    expect(apiKeyName('ü'.repeat(100))).to.deep.equal({ ok: true, value: 'ü'.repeat(100) })
    for (const wrong of ['', '   ', 'n'.repeat(101)])
      expect(apiKeyName(wrong)).to.include({ ok: false, type: 'Length' })
  })

  it('has no control characters inside', () => {
    expect(apiKeyName('one\ttwo')).to.include({ ok: false, type: 'Format' })
  })
})

describe('the id of an API key', () => {
  it('is a positive integer in plain decimal', () => {
    expect(apiKeyId('1')).to.deep.equal({ ok: true, value: 1 })
    expect(apiKeyId(String(Number.MAX_SAFE_INTEGER))).to.deep.equal({ ok: true, value: 2 ** 53 - 1 })
  })

  it('is nothing else', () => {
    const wrong = [
      '',
      '0',
      '-1',
      '01',
      '1.0',
      '1e3',
      ' 1',
      '1\n',
      '0x1',
      '٧',
      String(2 ** 53),
      '9'.repeat(17),
    ]
    const rule = 'must be the id of an API key, a positive integer'
    for (const text of wrong) expect(apiKeyId(text), text).to.deep.equal({ ok: false, type: 'Format', rule })
  })
})

describe('the end of an API key', () => {
  const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
  const YEAR = 365.25 * 86_400_000

  it('is a moment within ten years', () => {
    for (const at of [NOW + 1, NOW + 10 * YEAR])
      expect(apiKeyExpiry(at, NOW)).to.deep.equal({ ok: true, value: at })
    const last = NOW + 3_653 * 86_400_000
    expect(apiKeyExpiry(last, NOW)).to.deep.equal({ ok: true, value: last })
    expect(apiKeyExpiry(last + 1, NOW)).to.deep.equal({
      ...{ ok: false, type: 'NotValid', rule: 'must be a moment from now to ten years ahead' },
    })
    const wrong = [NOW, NOW - 1, 0, NOW + 11 * YEAR, NOW + 1_000 * YEAR, NOW + 0.5, Number.NaN, Infinity]
    for (const at of wrong)
      expect(apiKeyExpiry(at, NOW), String(at)).to.include({ ok: false, type: 'NotValid' })
  })

  it('is the first moment at which it is none', () => {
    expect([NOW - 1, NOW, NOW + 1].map((at) => hasExpired({ expiresAt: NOW }, at))).to.deep.equal([
      false,
      true,
      true,
    ])
    expect(hasExpired({}, Number.MAX_SAFE_INTEGER)).to.equal(false)
  })

  it('and its last use are of UTC: that is the beginning of an hour', () => {
    expect(hourOfUse(NOW)).to.equal(Date.UTC(2026, 0, 2, 3))
    expect(hourOfUse(Date.UTC(2026, 0, 2, 3))).to.equal(Date.UTC(2026, 0, 2, 3))
  })
})
