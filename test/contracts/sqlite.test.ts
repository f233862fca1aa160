import { copyableRecordLaws } from '../../src/contracts/index.js'
import { openSqliteCopy } from '../support/sqlite-copies.js'
import { suiteFolder } from '../support/temporary-folder.js'
import { describeStoreLaws } from './describe-laws.js'

describe('a store in a SQLite file', () => {
  const inFolder = suiteFolder()
  let files = 0

  const open = async () => {
    files += 1
    return await openSqliteCopy(inFolder(`${files}.db`))
  }
  describeStoreLaws('the SQLite store', open)
  describeStoreLaws('the SQLite store as a source and target of copies', open, copyableRecordLaws)
})
