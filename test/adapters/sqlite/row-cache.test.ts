import { expect } from 'chai'
import type { Connection, Row, Statement } from '../../../src/adapters/sqlite/driver.js'
import { createRowCaches, type RowCaches } from '../../../src/adapters/sqlite/row-cache.js'

describe('the row cache of SQLite', () => {
  let caches: RowCaches
  /** The number of checks for changes, the version that each check returns, and whether the file is locked. */
  let looks: number
  let version: number
  let isLocked: boolean

  beforeEach(() => {
    looks = 0
    version = 1
    isLocked = false
    caches = createRowCaches(connection())
  })

  function connection(): Connection {
    const look = (): Row => {
      looks += 1
      if (isLocked) throw new Error('database is locked')
      return [version]
    }
    const statement = { run: () => ({ changes: 0, lastInsertRowid: 0 }), get: look, all: () => [] }
    const prepare = <R extends Row>() => statement as unknown as Statement<R>
    return { prepare, exec: () => undefined, close: () => undefined }
  }

  const givingWay = () => new Promise<void>((resolve) => setImmediate(resolve))

  /** Reads as the ports do: after waiting for the turn that all current reads share. */
  async function asking<R>(cache: (key: string, read: () => R) => R, read: () => R): Promise<R> {
    await caches.turn()
    return cache('key', read)
  }

  it('checks the file once for all reads of a turn, after the last of them', async () => {
    const cache = caches.cache<{ at: number }>(10)
    expect(await asking(cache, () => ({ at: version }))).to.deep.equal({ at: 1 })
    await givingWay()
    const first = asking(cache, () => ({ at: version }))
    // A read that does not wait would have checked by now.
    await Promise.resolve().then(() => undefined)
    version = 2
    const second = asking(cache, () => ({ at: version }))
    expect(await Promise.all([first, second])).to.deep.equal([{ at: 2 }, { at: 2 }])
    expect(looks).to.equal(2)
  })

  it('returns one frozen object until the next write', async () => {
    const cache = caches.cache<{ inner: object }>(10)
    const read = () => ({ inner: {} })
    const found = await asking(cache, read)
    expect(Object.isFrozen(found) && Object.isFrozen(found.inner)).to.equal(true)
    expect(await asking(cache, read)).to.equal(found)
    caches.forget()
    expect(await asking(cache, read)).to.not.equal(found)
  })

  it('ignores a failed check', async () => {
    const cache = caches.cache<{ at: number }>(10)
    cache('key', () => ({ at: version }))
    await givingWay()
    version = 2
    isLocked = true
    expect(() => cache('key', () => ({ at: version }))).to.throw('locked')
    isLocked = false
    expect(cache('key', () => ({ at: version }))).to.deep.equal({ at: 2 })
  })
})
