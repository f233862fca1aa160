import { expect } from 'chai'
import { createMemoryStore } from '../../src/adapters/memory/store.js'
import { copyableRecordLaws, storeLaws } from '../../src/contracts/index.js'
import { bugsOfStores } from './broken/all.js'
import { bugsOfRecords } from './broken/copyable-records.js'
import { describeBugs } from './describe-bugs.js'
import { openSqliteCopy } from '../support/sqlite-copies.js'
import { suiteFolder } from '../support/temporary-folder.js'

describe('the contract laws for stores', () => {
  it('comprise more than 100 laws', () => {
    expect(storeLaws).to.have.lengthOf.above(100)
  })

  describeBugs(storeLaws, bugsOfStores, async (law, bug) => await law.check(bug.plant(createMemoryStore())))
})

describe('the contract laws for copyable records', () => {
  const inFolder = suiteFolder()
  let files = 0

  // The in-memory store does not implement `CopyableRecords`, so the bugs are planted in a SQLite file.
  describeBugs(copyableRecordLaws, bugsOfRecords, async (law, bug) => {
    files += 1
    const store = await openSqliteCopy(inFolder(`${files}.db`))
    try {
      await law.check({
        ...store,
        copyableRecords: bug.plant(store.copyableRecords ?? expect.fail('a file has records')),
      })
    } finally {
      await store.close()
    }
  })
})
