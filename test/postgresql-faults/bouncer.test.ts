import { expect } from 'chai'
import { Client } from 'pg'
import { storeLaws } from '../../src/contracts/index.js'
import { loadDriver } from '../../src/adapters/postgresql/errors.js'
import { createNamedRun } from '../../src/adapters/postgresql/run-statement.js'
import { openPostgres } from '../../src/adapters/postgresql/store.js'
import { describeStoreLaws } from '../contracts/describe-laws.js'
import { createLeftovers } from '../mongodb-faults/leftovers.js'
import { emptyDatabase } from '../support/postgresql/contents.js'
import { freshDatabase, type FreshDatabase } from '../support/postgresql/server.js'
import { describeWith } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'
import { startBouncer, type Bouncer } from './bouncer.js'

/** CI runs all laws without pgbouncer, and a different third of them through pgbouncer each time. */
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

describeWith('pgbouncer', 'statements of two processes through pgbouncer', () => {
  const leftovers = createLeftovers()
  before(loadDriver)
  after(() => leftovers.clear())

  for (const mode of ['transaction', 'session'] as const)
    it(`run exactly once, both as unnamed and as named prepared statements, in ${mode} mode`, async () => {
      const database = await freshDatabase()
      leftovers.add(database.drop)
      const bouncer = await startBouncer(database.url, mode)
      leftovers.add(bouncer.remove)
      const clients = [new Client(bouncer.url), new Client(bouncer.url)]
      await Promise.all(clients.map((client) => client.connect()))
      leftovers.add(() => Promise.all(clients.map((client) => client.end())))
      await clients[0]?.query('CREATE TABLE numbers (number int)')
      const processes = clients.map((client) => {
        const run = createNamedRun(() => undefined)
        return (text: string, ...values: number[]) => run(client, text, values)
      })
      for (let number = 0; number < 6; number += 1)
        for (const run of processes)
          expect(await run('INSERT INTO numbers VALUES ($1)', number)).to.have.property('changes', 1)
      const [first, second] = processes.map((run) => run('SELECT count(*) FROM numbers'))
      expect([(await first)?.rows, (await second)?.rows]).to.deep.equal([[[12]], [[12]]])
    })
})
