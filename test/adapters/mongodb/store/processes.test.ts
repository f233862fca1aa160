import { openMongo } from '../../../../src/adapters/mongodb/store.js'
import { freshDatabase, type FreshDatabase } from '../../../support/mongodb/server.js'
import { describeWith } from '../../../support/required-tools.js'
import { describeProcesses } from '../../../support/several-processes/describe-processes.js'

describeWith('mongodb', 'a MongoDB database of several processes', () => {
  let database: FreshDatabase
  describeProcesses({
    place: () => (database = freshDatabase()).url,
    open: (url) => openMongo(url),
    end: () => database.drop(),
  })
})
