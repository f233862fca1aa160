import { copyableRecordLaws } from '../../src/contracts/index.js'
import { openEmptied } from '../support/postgresql/contents.js'
import { addForeignTables, freshDatabase, type FreshDatabase } from '../support/postgresql/server.js'
import { describeWith } from '../support/required-tools.js'
import { describeStoreLaws } from './describe-laws.js'

describeWith(
  'postgresql',
  'a store in PostgreSQL, whose role finds the tables of another program first',
  () => {
    let database: FreshDatabase
    before(async () => {
      database = await freshDatabase()
      await addForeignTables(database)
    })
    after(() => database.drop())
    const open = async () => await openEmptied(database)

    describeStoreLaws('a separate server', open)
    describeStoreLaws('a separate server as a source and target of copies', open, copyableRecordLaws)
  },
)
