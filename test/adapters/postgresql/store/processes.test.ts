import { openPostgres } from '../../../../src/adapters/postgresql/store.js'
import { freshDatabase, type FreshDatabase } from '../../../support/postgresql/server.js'
import { describeWith } from '../../../support/required-tools.js'
import { describeProcesses } from '../../../support/several-processes/describe-processes.js'

describeWith('postgresql', 'a PostgreSQL database of several processes', () => {
  let database: FreshDatabase
  describeProcesses({
    place: async () => {
      database = await freshDatabase()
      return database.url
    },
    open: (url) => openPostgres(url),
    end: () => database.drop(),
  })
})
