import { expect } from 'chai'
import { systemClock, systemRandomness } from '../../../src/adapters/system/index.js'

describe('the system clock', () => {
  it('returns the current system time in milliseconds', () => {
    const before = new Date().getTime()
    const told = systemClock()
    expect(told).to.be.within(before, new Date().getTime())
  })
})

describe('the system randomness', () => {
  it('returns the requested number of bytes as base64url without padding', () => {
    for (const bytes of [1, 16, 32, 33, 5_000]) {
      const text = systemRandomness.base64url(bytes)
      expect(text).to.match(/^[A-Za-z0-9_-]+$/)
      expect(Buffer.from(text, 'base64url')).to.have.lengthOf(bytes)
    }
  })

  it('returns version 4 UUIDs', () => {
    expect(systemRandomness.uuid()).to.match(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })
})
