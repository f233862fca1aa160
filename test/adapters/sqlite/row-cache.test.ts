import { expect } from 'chai'
import { bytesOf } from '../../../src/application/byte-cache.js'
import { connect, type Connection, type Statement } from '../../../src/adapters/sqlite/driver.js'
import { createRowCaches, type RowCache, type RowCaches } from '../../../src/adapters/sqlite/row-cache.js'
import { migrate } from '../../../src/adapters/sqlite/schema.js'
import type { Row } from '../../../src/adapters/sql/statements.js'
import { suiteFolder } from '../../support/temporary-folder.js'

type Pet = { readonly id: number; readonly name: string }

describe('the SQLite row cache', () => {
  const inFolder = suiteFolder()
  let files = 0
  let connection: Connection
  let other: Connection
  let caches: RowCaches
  let looks: number
  let locked: 'data_version' | 'row_changes' | undefined

  beforeEach(async () => {
    const path = inFolder(`${(files += 1)}.db`)
    ;[connection, other] = [await connect(path), await connect(path)]
    connection.exec('PRAGMA journal_mode = WAL')
    migrate(connection)
    connection.exec("INSERT INTO pets (name, revision) VALUES ('Rex', 1), ('Mia', 1)")
    looks = 0
    locked = undefined
    caches = createRowCaches({ ...connection, prepare }, () => undefined)
  })

  afterEach(() => {
    connection.close()
    other.close()
  })

  function prepare<R extends Row>(sql: string): Statement<R> {
    const statement = connection.prepare<R>(sql)
    const check = () => {
      if (sql.includes('data_version')) looks += 1
      if (locked && sql.includes(locked)) throw new Error('database is locked')
      return statement
    }
    return {
      ...statement,
      get: (...values) => check().get(...values),
      all: (...values) => check().all(...values),
    }
  }

  const petCache = (bytes = 10_000) => caches.cache<Pet>(bytes, ({ id }) => [`pet ${id}`])
  const rename = (name: string, id: number) => other.exec(`UPDATE pets SET name = '${name}' WHERE id = ${id}`)
  const givingWay = () => new Promise<void>((resolve) => setImmediate(resolve))

  /** Reads as the ports do: waits for the check that concurrent reads share, and then reads. */
  async function reading(cache: RowCache<Pet>, id = 1): Promise<Pet> {
    await caches.turn()
    return cache(id, () => {
      const [name] = connection.prepare('SELECT name FROM pets WHERE id = ?').get(id) ?? []
      return { id, name: String(name) }
    })
  }

  it('checks the file only once for all reads in the same event loop turn, after the last read', async () => {
    const cache = petCache()
    expect(await reading(cache)).to.deep.equal({ id: 1, name: 'Rex' })
    await givingWay()
    const first = reading(cache)
    // If reads did not share a check, the first read would have checked by now.
    await Promise.resolve().then(() => undefined)
    rename('Max', 1)
    const second = reading(cache)
    const max = { id: 1, name: 'Max' }
    expect(await Promise.all([first, second])).to.deep.equal([max, max])
    await givingWay()
    looks = 0
    expect(await Promise.all([reading(cache), reading(cache)])).to.deep.equal([max, max])
    expect(looks).to.equal(1)
  })

  it('retains a row that is read repeatedly, regardless of how many other rows change', async () => {
    const cache = petCache()
    const rex = await reading(cache)
    for (let batch = 1; batch <= 30; batch += 1) {
      const values = Array.from({ length: 500 }, (_, index) => `('pet', ${batch * 500 + index})`)
      other.exec(`INSERT INTO row_changes (kind, key) VALUES ${values.join()}`)
      await givingWay()
      expect(await reading(cache)).to.equal(rex)
    }
  })

  it('does not cache a result if the row changed during the read', async () => {
    const cache = petCache()
    for (const [id, change] of [
      [1, () => rename('Max', 1)],
      [2, () => rename('Ben', 1)],
      [1, () => other.exec("INSERT INTO roles (key, uuid, label) VALUES ('r', 'r', 'R')")],
    ] as const) {
      await givingWay()
      rename(`before ${id}`, id)
      await caches.turn()
      const answer = cache(id, () => {
        change()
        return { id, name: 'read' }
      })
      expect(Object.isFrozen(answer)).to.equal(false)
      expect(await reading(cache, id)).to.not.equal(answer)
    }
  })

  it('caches a row only on its second read, once the cache has been full', async () => {
    const size = 150 + bytesOf({ id: 1, name: 'Rex' })
    const cache = petCache(size)
    for (const id of [1, 2]) await reading(cache, id)
    const first = await reading(cache, 1)
    const second = await reading(cache, 1)
    expect(second).to.not.equal(first)
    expect([first, second].map((one) => Object.isFrozen(one))).to.deep.equal([false, true])
    expect(await reading(cache, 1)).to.equal(second)
    rename('Max', 1)
    await givingWay()
    const renamed = await reading(cache, 1)
    expect(renamed).to.deep.equal({ id: 1, name: 'Max' })
    expect(await reading(cache, 1)).to.equal(renamed)
  })

  for (const part of ['data_version', 'row_changes'] as const)
    for (const isOwn of [false, true])
      it(`reads the current row after a failed check of ${part} and a change by ${isOwn ? 'this' : 'another'} connection`, async () => {
        const cache = petCache()
        await reading(cache)
        await givingWay()
        if (isOwn) caches.expectOwn()
        ;(isOwn ? connection : other).exec("UPDATE pets SET name = 'Max' WHERE id = 1")
        locked = part
        const refused = await reading(cache).catch((error: unknown) => String(error))
        locked = undefined
        await givingWay()
        expect(refused).to.equal('Error: database is locked')
        expect(await reading(cache)).to.deep.equal({ id: 1, name: 'Max' })
      })
})
