import { expect } from 'chai'
import { Client } from 'pg'
import { createNamedRun } from '../../../src/adapters/postgresql/run-statement.js'
import { loadDriver } from '../../../src/adapters/postgresql/errors.js'
import { freshDatabase, type FreshDatabase } from '../../support/postgresql/server.js'
import { describeWith } from '../../support/required-tools.js'
import type { RoleKey } from '../../../src/domain/access/role.js'
import type { Account } from '../../../src/domain/identity/account.js'
import { openPostgres, type PostgresStore } from '../../../src/adapters/postgresql/store.js'
import { addAccount, ensureRole } from '../../../src/contracts/arrangements.js'
import { aMailJob, anAuditRecord, aNewAccount, emailOf, NOW } from '../../../src/contracts/samples.js'

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

  it('repeats a statement without a name if the pool has lost it, and runs later statements without names', async () => {
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

  it('reports its connection as outdated if the columns of a table have changed, and returns the new columns', async () => {
    await run('INSERT INTO numbers VALUES ($1)', 1)
    await run('SELECT * FROM numbers')
    expect(outdated).to.deep.equal([])
    await client.query('ALTER TABLE numbers ADD COLUMN more bigint DEFAULT 5')
    expect(await run('SELECT * FROM numbers')).to.deep.equal([[1, 5]])
    expect(outdated).to.deep.equal([client])
    expect(await run(PREPARED)).to.deep.equal([[3]])
  })
})

describeWith('postgresql', "a store on the application's own connection to PostgreSQL", () => {
  let database: FreshDatabase
  let store: PostgresStore
  let client: Client
  let other: Client
  let ann: Account

  beforeEach(async () => {
    database = await freshDatabase()
    store = await openPostgres(database.url)
    ;[client, other] = [new Client(database.url), new Client(database.url)]
    await Promise.all([client.connect(), other.connect()])
    await client.query('CREATE TABLE orders (account_id bigint NOT NULL)')
  })

  afterEach(async () => {
    await Promise.all([client.end(), other.end(), store.close()])
    await database.drop()
  })

  const rows = async () => ({
    accounts: (await store.accounts.page(undefined, 10)).length,
    mails: (await store.mailQueue.waiting(undefined, NOW, 10)).length,
    records: (await store.audit.page({ limit: 10 })).length,
    orders: (await other.query('SELECT 1 FROM orders')).rowCount,
  })

  async function order() {
    const { accounts, mailQueue, audit } = store.within(client)
    await client.query('BEGIN')
    const inserted = await accounts.insert(aNewAccount('ann'))
    await mailQueue.enqueue(aMailJob('ann'), 10)
    await audit.append(anAuditRecord('ann'))
    await client.query('INSERT INTO orders VALUES ($1)', ['id' in inserted && inserted.id])
  }

  it('commits or rolls back an account, its email and its audit record together with an order', async () => {
    for (const [end, count] of [
      ['ROLLBACK', 0],
      ['COMMIT', 1],
    ] as const) {
      await order()
      expect(await rows()).to.deep.equal({ accounts: 0, mails: 0, records: 0, orders: 0 })
      await client.query(end)
      expect(await rows()).to.deep.equal({ accounts: count, mails: count, records: count, orders: count })
    }
  })

  it('runs concurrent calls one after another, with one set of ports per connection', async () => {
    const ports = store.within(client)
    expect(store.within(client)).to.equal(ports)
    expect(store.within(other)).not.to.equal(ports)
    await client.query('BEGIN')
    const names = ['ann', 'bob', 'ann', 'cid']
    const kinds = await Promise.all(
      names.map(async (name) => (await ports.accounts.insert(aNewAccount(name))).kind),
    )
    expect(kinds).to.deep.equal(['inserted', 'inserted', 'duplicate-email', 'inserted'])
    await client.query('COMMIT')
    expect((await rows()).accounts).to.equal(3)
  })

  /**
   * Another connection commits each change while the call's statement is running, so that an index or foreign key
   * refuses the call.
   */
  const LATE_REFUSALS = [
    {
      outcome: 'email-taken',
      change: () => store.within(other).accounts.insert(aNewAccount('bob')),
      call: async () =>
        await store.within(client).accounts.changeEmail({ id: ann.id, email: emailOf('bob') }),
    },
    {
      outcome: 'held',
      change: () => store.within(other).roles.assign(ann.email, 'editor' as RoleKey),
      call: async () => await store.within(client).roles.remove('editor' as RoleKey, NOW),
    },
  ]
  for (const { outcome, change, call } of LATE_REFUSALS) {
    it(`continues the transaction after the late refusal ${outcome}`, async () => {
      ann = await addAccount(store)
      await ensureRole(store, 'editor')
      await Promise.all([client.query('BEGIN'), other.query('BEGIN')])
      await client.query('INSERT INTO orders VALUES (1)')
      await change()
      const waiting = call()
      while ((await blocked()) === 0);
      await other.query('COMMIT')
      expect(await waiting).to.equal(outcome)
      await client.query('COMMIT')
      expect((await rows()).orders).to.equal(1)
    })
  }

  const blocked = async () => {
    const query =
      'SELECT 1 FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0 AND datname = $1'
    return (await other.query(query, [database.name])).rowCount
  }
})
