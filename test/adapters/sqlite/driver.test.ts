import { expect } from 'chai'
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
