import { expect } from 'chai'
import { openPostgres } from '../../../src/adapters/postgresql/store.js'
import { draft } from '../../support/pet-drafts.js'
import { freshDatabase, inDatabase } from '../../support/postgresql/server.js'
import { refusalOf } from '../../support/refusal-of.js'
import { describeWith } from '../../support/required-tools.js'

describeWith('postgresql', 'a PostgreSQL store without a free connection', () => {
  it('is reported as not ready long before the time limit of a call', async () => {
    const database = await freshDatabase()
    const store = await openPostgres(`${database.url}?pool_size=1`, { timeout: 60_000, readyTimeout: 100 })
    try {
      await inDatabase(database.adminUrl, async (client) => {
        await client.query('BEGIN; LOCK TABLE kennel.pets')
        const inserting = store.pets.insert(draft('Rex'))
        expect((await refusalOf(store.ready())).detail).to.equal(
          'The PostgreSQL server did not answer in time.',
        )
        await client.query('COMMIT')
        expect((await inserting).kind).to.equal('inserted')
        await store.ready()
      })
    } finally {
      await store.close()
      await database.drop()
    }
  })
})

describeWith('postgresql', 'a PostgreSQL store whose schema is missing for some time', () => {
  it('is not ready, refuses calls as `unavailable`, and then works again', async () => {
    const database = await freshDatabase()
    const store = await openPostgres(database.url)
    try {
      await inDatabase(database.adminUrl, async (client) => {
        await client.query('ALTER SCHEMA kennel RENAME TO away')
        for (const call of [
          () => store.ready(),
          () => store.roles.list(),
          () => store.pets.insert(draft('Rex')),
        ])
          expect((await refusalOf(call())).detail).to.match(
            /^Tables are missing in the PostgreSQL database: /,
          )
        await client.query('ALTER SCHEMA away RENAME TO kennel')
        await store.ready()
        expect((await store.pets.insert(draft('Rex'))).kind).to.equal('inserted')
      })
    } finally {
      await store.close()
      await database.drop()
    }
  })
})
