import { expect } from 'chai'
import { Client } from 'pg'
import { createNamedRun, runOn } from '../../../src/adapters/postgresql/run-statement.js'
import { loadDriver } from '../../../src/adapters/postgresql/driver.js'
import { freshDatabase, type FreshDatabase } from '../../support/postgresql/server.js'
import { describeWith } from '../../support/required-tools.js'

const PREPARED = "SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'kennel\\_%'"

describeWith('postgresql', 'a statement on a PostgreSQL connection', () => {
  let database: FreshDatabase
  let client: Client
  let outdated: unknown[]
  let run: (text: string, ...values: number[]) => Promise<unknown>

  before(loadDriver)

  beforeEach(async () => {
    database = await freshDatabase()
    client = new Client(database.url)
    await client.connect()
    await client.query('CREATE TABLE numbers (number bigint)')
    outdated = []
    const named = createNamedRun((one) => outdated.push(one))
    run = async (text, ...values) => (await named(client, text, values)).rows
  })

  afterEach(async () => {
    await client.end()
    await database.drop()
  })

  it('returns rows as arrays, integers as numbers, and the number of changed rows', async () => {
    expect(await runOn(client, 'INSERT INTO numbers VALUES ($1), (2)', [1])).to.deep.equal({
      rows: [],
      changes: 2,
    })
    const { rows } = await runOn(client, 'SELECT number, number > 1 FROM numbers ORDER BY number', [])
    expect(rows).to.deep.equal([
      [1, false],
      [2, true],
    ])
  })

  it('is prepared only once for the same SQL text', async () => {
    for (const number of [1, 2]) {
      await run('INSERT INTO numbers VALUES ($1)', number)
      expect(await run(PREPARED)).to.deep.equal([[2]])
    }
  })

  it('runs this and later statements without names if the pool has lost a prepared statement', async () => {
    await run('INSERT INTO numbers VALUES ($1)', 1)
    await client.query('DEALLOCATE ALL')
    await run('INSERT INTO numbers VALUES ($1)', 2)
    expect(await run('SELECT number FROM numbers ORDER BY number')).to.deep.equal([[1], [2]])
    expect(await run(PREPARED)).to.deep.equal([[0]])
  })

  it('runs without a name if the pool returns a connection on which the name is in use', async () => {
    await run('INSERT INTO numbers VALUES ($1)', 1)
    const { rows } = await client.query<{ name: string }>('SELECT name FROM pg_prepared_statements')
    const other = new Client(database.url)
    await other.connect()
    try {
      await other.query(`PREPARE ${rows[0]?.name} AS SELECT 7`)
      const named = createNamedRun((one) => outdated.push(one))
      expect((await named(other, 'INSERT INTO numbers VALUES ($1)', [2])).changes).to.equal(1)
    } finally {
      await other.end()
    }
  })

  it('reports a connection on which columns of a table changed, and returns the new columns', async () => {
    await run('INSERT INTO numbers VALUES ($1)', 1)
    await run('SELECT * FROM numbers')
    expect(outdated).to.deep.equal([])
    await client.query('ALTER TABLE numbers ADD COLUMN more bigint DEFAULT 5')
    expect(await run('SELECT * FROM numbers')).to.deep.equal([[1, 5]])
    expect(outdated).to.deep.equal([client])
    expect(await run(PREPARED)).to.deep.equal([[3]])
  })

  it('rethrows any other server error', async () => {
    const error: unknown = await run('SELECT 1 / $1::int', 0).catch((reason: unknown) => reason)
    expect(error).to.have.property('code', '22012')
  })
})
