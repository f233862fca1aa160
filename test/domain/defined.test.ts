import { expect } from 'chai'
import { defined } from '../../src/domain/defined.js'

describe('defined members', () => {
  it('are all members except undefined, in their order', () => {
    const members = defined({ b: 1, a: undefined, c: null, d: '', e: false })
    expect(Object.entries(members)).to.deep.equal(Object.entries({ b: 1, c: null, d: '', e: false }))
  })
})
