import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { recordLaws } from '../../src/contracts/index.js'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { describeStoreLaws } from './describe-store-laws.js'

describe('a store in a SQLite file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-laws-'))
  let files = 0

  after(() => rmSync(folder, { recursive: true, force: true }))

  const open = async () => {
    files += 1
    return await openSqlite(join(folder, `${files}.db`))
  }
  describeStoreLaws('the SQLite store', open)
  describeStoreLaws('the SQLite store as a source and target of copies', open, recordLaws)
})
