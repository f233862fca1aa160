import { expect } from 'chai'
import { apiKeyId, apiKeyName } from '../../../src/domain/access/api-key.js'

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
    for (const text of wrong) expect(apiKeyId(text), text).to.include({ ok: false, type: 'Format' })
  })
})
