import { expect } from 'chai'
import { bytesOf, createByteCache } from '../../src/application/byte-cache.js'

describe('a byte-limited cache', () => {
  const entry = (name: number, bytes = 10) => ({ name, bytes })

  function filled(count: number, bytes = 10) {
    const cache = createByteCache<number, { name: number; bytes: number }>(100)
    for (let key = 0; key < count; key += 1) cache.set(key, entry(key, bytes))
    return cache
  }

  const heldBy = (cache: ReturnType<typeof filled>, count: number) => {
    const keys = Array.from({ length: count }, (_, index) => count - 1 - index)
    return keys.filter((key) => cache.get(key)?.name === key)
  }

  it('contains the newest values up to its byte limit', () => {
    for (const [count, held] of [
      [1, 1],
      [10, 10],
      [11, 8],
      [1_000, 10],
    ] as const)
      expect(heldBy(filled(count), count), String(count)).to.deep.equal(
        Array.from({ length: held }, (_, index) => count - 1 - index),
      )
  })

  it('evicts at most an eighth of its values at a time', () => {
    const cache: ReturnType<typeof filled> = createByteCache(80)
    for (let key = 0; key < 9; key += 1) cache.set(key, entry(key))
    expect(heldBy(cache, 9)).to.have.lengthOf(7)
  })

  it('retains a recently used value while other values are evicted', () => {
    const cache = filled(1)
    for (let key = 1; key < 1_000; key += 1) {
      cache.set(key, entry(key))
      expect(cache.get(0)).to.deep.equal(entry(0))
    }
  })

  it("does not store a value above its limit, and drops the key's previous value", () => {
    expect(heldBy(filled(3, 101), 3)).to.deep.equal([])
    expect(heldBy(filled(3, 80), 3)).to.deep.equal([2])
    const cache = filled(3)
    cache.set(2, entry(9, 101))
    expect(cache.get(2)).to.equal(undefined)
    expect(heldBy(cache, 3)).to.deep.equal([1, 0])
  })

  it('admits every key until the cache is first full, then admits a key only on its second use', () => {
    const notFull = filled(10)
    expect([notFull.admits(10), notFull.admits(10)]).to.deep.equal([true, true])
    const cache = createByteCache<string, { bytes: number }>(10)
    for (const key of ['a', 'b']) cache.set(key, { bytes: 10 })
    const keys = ['session-1', 'session-2', 'session-1', 'session-2', 'session-3']
    expect(keys.map((key) => cache.admits(key))).to.deep.equal([false, false, true, true, false])
  })

  /** Requests every key once per round; returns the keys that the cache refuses. */
  function refusedInTurn(keys: number, rounds: number): number[] {
    const cache = filled(1_000)
    const asked = new Set(Array.from({ length: keys }, (_, key) => key))
    return Array.from({ length: rounds }, () => {
      for (const key of asked) if (cache.admits(key)) asked.delete(key)
      return asked.size
    })
  }

  it('admits all of 9,000 keys when each is requested a second time, but none of 100,000 keys', () => {
    expect(refusedInTurn(9_000, 2).at(-1)).to.equal(0)
    expect(refusedInTurn(100_000, 2).at(-1)).to.equal(100_000)
  })

  it('estimates a larger size for more data', () => {
    const sizes = [undefined, null, 1, '', 'a', {}, { a: 1 }, { a: 'a' }, [{ a: 'a' }]].map(bytesOf)
    expect(sizes).to.deep.equal([0, 0, 0, 16, 17, 32, 44, 61, 105])
  })
})
