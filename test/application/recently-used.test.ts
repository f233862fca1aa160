import { expect } from 'chai'
import { createRecentlyUsed } from '../../src/application/recently-used.js'

describe('values that were recently used', () => {
  it('are those that were asked for or set last', () => {
    const values = createRecentlyUsed<number>(2)
    values.set('a', 1)
    values.set('b', 2)
    expect(values.get('a')).to.equal(1)
    values.set('c', 3)
    expect(['a', 'b', 'c'].map((key) => values.get(key))).to.deep.equal([1, undefined, 3])
  })

  it('are replaced in place, and deleted', () => {
    const values = createRecentlyUsed<number>(2)
    values.set('a', 1)
    values.set('b', 2)
    values.set('a', 3)
    expect(['a', 'b'].map((key) => values.get(key))).to.deep.equal([3, 2])
    values.delete('a')
    expect(values.get('a')).to.equal(undefined)
  })

  it('are none where there is no place for one', () => {
    const values = createRecentlyUsed<number>(0)
    values.set('a', 1)
    expect(values.get('a')).to.equal(undefined)
  })
})
