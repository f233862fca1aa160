import { expect } from 'chai'
import { storeLaws } from '../../src/contracts/index.js'
import { openPostgres } from '../../src/adapters/postgresql/store.js'
import { describeStoreLaws } from '../contracts/describe-store-laws.js'
import { createLeftovers } from '../mongodb-faults/leftovers.js'
import { emptyDatabase } from '../support/postgresql/contents.js'
import { freshDatabase, type FreshDatabase } from '../support/postgresql/server.js'
import { describeWith } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'
import { startBouncer, type Bouncer } from './bouncer.js'

/** CI tries a third of the laws in turn through pgbouncer, and all laws without it. */
const LAWS = rotating(storeLaws, Math.ceil(storeLaws.length / 3))

describeWith(
  'pgbouncer',
  'a PostgreSQL database behind pgbouncer, between transactions, with one connection',
  () => {
    const leftovers = createLeftovers()
    let database: FreshDatabase
    let bouncer: Bouncer

    before(async () => {
      database = await freshDatabase()
      leftovers.add(database.drop)
      bouncer = await startBouncer(database.url)
      leftovers.add(bouncer.remove)
    })
    after(() => leftovers.clear())

    const open = async () => {
      await emptyDatabase(database)
      return await openPostgres(bouncer.url)
    }
    describeStoreLaws('pgbouncer', open, LAWS)

    it('serves the next call after a restart of pgbouncer', async () => {
      const store = await open()
      leftovers.add(() => store.close())
      await store.ready()
      await bouncer.restart()
      await store.ready()
      expect(await store.accounts.page(undefined, 1)).to.deep.equal([])
    })
  },
)
