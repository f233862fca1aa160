import { expect } from 'chai'
import { defined, frozen, frozenCopy } from '../../src/domain/plain-data.js'

const sample = () => ({ list: [{ name: 'a', tag: null }], absent: undefined, at: 1 })

describe('defined members', () => {
  it('are all members that are not undefined, in the original order', () => {
    const members = defined({ b: 1, a: undefined, c: null, d: '', e: false })
    expect(Object.entries(members)).to.deep.equal(Object.entries({ b: 1, c: null, d: '', e: false }))
  })
})

describe('frozen data', () => {
  it('is the same object, deeply frozen', () => {
    const given = sample()
    expect(frozen(given)).to.equal(given)
    for (const part of [given, given.list, given.list[0]]) expect(Object.isFrozen(part)).to.equal(true)
    for (const value of [undefined, null, 'text', 7]) expect(frozen(value)).to.equal(value)
  })

  it('contains functions, which are not frozen', () => {
    const now = () => 7
    expect(Object.isFrozen(frozen({ now }).now)).to.equal(false)
  })

  it('is an equal deep copy if a copy is requested, and leaves the original unfrozen', () => {
    const given = sample()
    const copy = frozenCopy(given) as typeof given
    expect(copy).to.deep.equal(given)
    expect([copy === given, copy.list[0] === given.list[0]]).to.deep.equal([false, false])
    expect([Object.isFrozen(copy.list[0]), Object.isFrozen(given.list[0])]).to.deep.equal([true, false])
  })

  it('contains the original `AbortSignal`, not a copy', () => {
    const { signal } = new AbortController()
    expect(frozenCopy(signal)).to.equal(signal)
  })
})
