import { expect } from 'chai'
import { asRefusal } from '../../../src/adapters/sqlite/errors.js'
import { isTransient, type Refusal } from '../../../src/domain/refusal.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { collectGarbage } from '../../support/garbage.js'
import { openFilesIn } from '../../support/open-files.js'

const COLLECTIONS = 100

describe('the SQLite driver', () => {
  const inFolder = temporaryFolder()

  it('closes its files when the store is closed, even if the store object is still referenced', async function () {
    if (process.platform !== 'linux') this.skip()
    const [database, attempts] = [inFolder('app.db'), inFolder('app.db-attempts')]
    const store = await openSqlite(database)
    await store.attempts.take([{ name: 'somewhere', limit: { count: 1, window: 1000 } }], 0)
    expect(openFilesIn(inFolder())).to.include.members([database, attempts])
    await store.close()
    for (let left = COLLECTIONS; left > 0 && openFilesIn(inFolder()).length > 0; left -= 1)
      await collectGarbage()
    expect(openFilesIn(inFolder())).to.deep.equal([])
    await store.close()
  })
})

const errorOf = (errcode: number) => Object.assign(new Error('of SQLite'), { errcode })

describe('a SQLite error', () => {
  it('is transient if another process holds a lock', () => {
    // The codes for busy, busy during recovery, busy because of a snapshot, and locked.
    for (const code of [5, 261, 517, 6])
      expect(isTransient(asRefusal(errorOf(code))), `${code}`).to.equal(true)
  })

  it('is permanent if only an operator can fix the cause', () => {
    // SQLite's codes for a file that is not permitted, read-only, damaged, full, or cannot be opened.
    for (const code of [3, 8, 11, 13, 14]) {
      const refusal = asRefusal(errorOf(code))
      expect(refusal).to.have.property('code', 'unavailable')
      expect(isTransient(refusal), `${code}`).to.equal(false)
    }
  })

  it('reports a full disk, even if only the shared memory file does not fit', () => {
    const detailOf = (code: number) => (asRefusal(errorOf(code)) as Refusal).detail
    for (const code of [13, 4_874])
      expect(detailOf(code)).to.include('The disk that holds the database file is full')
    expect(detailOf(10)).to.not.include('full')
  })

  it('is `unavailable` if a number in the file is beyond the safe integers', () => {
    for (const code of ['ERR_OUT_OF_RANGE', 'ERR_SQLITE_ERROR']) {
      const message = 'Value is too large to be represented as a JavaScript number: 9223372036854775807'
      const error = Object.assign(new RangeError(message), { code })
      expect(asRefusal(error)).to.include({ code: 'unavailable', cause: error })
    }
  })
})
