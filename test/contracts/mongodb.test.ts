import { copyableRecordLaws } from '../../src/contracts/index.js'
import { openEmptied } from '../support/mongodb/emptied.js'
import { freshDatabase, type FreshDatabase } from '../support/mongodb/server.js'
import { describeWith } from '../support/required-tools.js'
import { describeStoreLaws } from './describe-laws.js'

describeWith('mongodb', 'a store in MongoDB', () => {
  let database: FreshDatabase
  before(() => {
    database = freshDatabase()
  })
  after(() => database.drop())
  const open = async () => await openEmptied(database.url)

  describeStoreLaws('a separate server', open)
  describeStoreLaws('a separate server as a source and target of copies', open, copyableRecordLaws)
})
