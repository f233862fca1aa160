import { expect } from 'chai'
import { defined, frozen, frozenCopy } from '../../src/domain/plain-data.js'

const sample = () => ({ list: [{ name: 'a', tag: null }], absent: undefined, at: 1 })

describe('defined members', () => {
  it('are all members except undefined, in their order', () => {
    const members = defined({ b: 1, a: undefined, c: null, d: '', e: false })
    expect(Object.entries(members)).to.deep.equal(Object.entries({ b: 1, c: null, d: '', e: false }))
  })
})

describe('frozen data', () => {
  it('is the same object, frozen throughout', () => {
    const given = sample()
    expect(frozen(given)).to.equal(given)
    for (const part of [given, given.list, given.list[0]]) expect(Object.isFrozen(part)).to.equal(true)
    for (const value of [undefined, null, 'text', 7]) expect(frozen(value)).to.equal(value)
  })

  it('leaves functions unfrozen', () => {
    const now = () => 7
    expect(Object.isFrozen(frozen({ now }).now)).to.equal(false)
  })

  it('is equal as a copy, which shares no object and leaves the original unfrozen', () => {
    const given = sample()
    const copy = frozenCopy(given) as typeof given
    expect(copy).to.deep.equal(given)
    expect([copy === given, copy.list[0] === given.list[0]]).to.deep.equal([false, false])
    expect([Object.isFrozen(copy.list[0]), Object.isFrozen(given.list[0])]).to.deep.equal([true, false])
  })

  it('passes a signal through without a copy', () => {
    const { signal } = new AbortController()
    expect(frozenCopy(signal)).to.equal(signal)
  })
})
