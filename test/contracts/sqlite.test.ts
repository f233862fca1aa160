import { recordLaws } from '../../src/contracts/index.js'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { describeStoreLaws } from './describe-store-laws.js'
import { suiteFolder } from '../support/temporary-folder.js'

describe('a store in a SQLite file', () => {
  const inFolder = suiteFolder()
  let files = 0

  const open = async () => {
    files += 1
    return await openSqlite(inFolder(`${files}.db`))
  }
  describeStoreLaws('the SQLite store', open)
  describeStoreLaws('the SQLite store as a source and target of copies', open, recordLaws)
})
