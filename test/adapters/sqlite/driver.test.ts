import { expect } from 'chai'
import { readdirSync, readlinkSync } from 'node:fs'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { collectGarbage } from '../../support/garbage.js'

const DESCRIPTORS = '/proc/self/fd'
const COLLECTIONS = 100

describe('the SQLite driver', () => {
  const inFolder = temporaryFolder()

  it('closes its files when the store is closed, even if the store object is still referenced', async function () {
    if (process.platform !== 'linux') this.skip()
    const [database, attempts] = [inFolder('app.db'), inFolder('app.db-attempts')]
    const store = await openSqlite(database)
    await store.attempts.take([{ name: 'somewhere', limit: { count: 1, window: 1000 } }], 0)
    expect(openIn(inFolder())).to.include.members([database, attempts])
    await store.close()
    for (let left = COLLECTIONS; left > 0 && openIn(inFolder()).length > 0; left -= 1) await collectGarbage()
    expect(openIn(inFolder())).to.deep.equal([])
    await store.close()
  })
})

function openIn(folder: string): readonly string[] {
  return readdirSync(DESCRIPTORS)
    .map(pathOf)
    .filter((path) => path.startsWith(folder))
}

function pathOf(descriptor: string): string {
  try {
    return readlinkSync(`${DESCRIPTORS}/${descriptor}`)
  } catch {
    // The descriptor that reads this folder.
    return ''
  }
}
