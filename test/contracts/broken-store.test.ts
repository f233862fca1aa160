import { expect } from 'chai'
import { createMemoryStore } from '../../src/adapters/memory/store.js'
import { copyableRecordLaws, storeLaws } from '../../src/contracts/index.js'
import { openSqliteCopy } from '../support/sqlite-copies.js'
import { suiteFolder } from '../support/temporary-folder.js'
import { bugsOfApiKeys, bugsOfProjects, bugsOfRoles } from './broken/access.js'
import { bugsOfAccounts } from './broken/accounts.js'
import type { Bug } from './broken/bug.js'
import { bugsOfRecords } from './broken/copyable-records.js'
import { bugsOfRevocations, bugsOfSecondFactors, bugsOfPasskeys } from './broken/logins.js'
import { bugsOfAttempts, bugsOfAudit, bugsOfMailQueue } from './broken/operations.js'
import { bugsOfPets } from './broken/pets.js'
import { bugsOfProofs } from './broken/proofs.js'
import { bugsOfSessions } from './broken/sessions.js'
import { bugsOfEveryPort } from './broken/whole-store.js'
import { describeBugs } from './describe-laws.js'

/** Every planted bug in a store. */
const bugsOfStores: readonly Bug[] = [
  ...[bugsOfEveryPort, bugsOfAccounts, bugsOfSessions, bugsOfRevocations, bugsOfSecondFactors],
  ...[bugsOfPasskeys, bugsOfProofs, bugsOfPets, bugsOfRoles, bugsOfApiKeys, bugsOfProjects],
  ...[bugsOfAttempts, bugsOfMailQueue, bugsOfAudit],
].flat()

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
