import { expect } from 'chai'
import { knownTransports, passkeyIdIn, passkeyName } from '../../../src/domain/identity/passkey.js'

describe('a passkey', () => {
  it('has an ID of at most 1,023 bytes in base64url', () => {
    for (const id of ['A', 'Az-_09', 'A'.repeat(1364)]) expect(passkeyIdIn(id)).to.equal(id)
    for (const text of ['', 'A=', 'A+', 'A b', 'A\0', 'A'.repeat(1365)])
      expect(passkeyIdIn(text)).to.equal(undefined)
  })

  it('has a name of 1 to 64 characters, without control characters or surrounding spaces', () => {
    expect(passkeyName('  Ada’s phone ')).to.deep.equal({ ok: true, value: 'Ada’s phone' })
    expect(passkeyName('e\u0301')).to.deep.equal({ ok: true, value: 'é' })
    expect(passkeyName(' ')).to.include({ ok: false, type: 'Required' })
    for (const text of ['x'.repeat(65), 'a\nb', 'a\u202Eb'])
      expect(passkeyName(text)).to.include({ ok: false, type: 'NotValid' })
    expect(passkeyName('x'.repeat(64))).to.include({ ok: true })
  })

  it('keeps each known transport once, and omits unknown transports', () => {
    expect(knownTransports(['usb', 'internal', 'usb', 'telepathy', 7])).to.deep.equal(['usb', 'internal'])
  })
})
