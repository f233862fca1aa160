import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect } from 'chai'
import { connectDatabase } from '../../../src/adapters/postgresql/database.js'
import { freshDatabase, inDatabase } from '../../support/postgresql/server.js'
import { refusalOf } from '../../support/refusal-of.js'
import { describeWith } from '../../support/required-tools.js'
import { openPostgres } from '../../../src/adapters/postgresql/store.js'
import { aRole } from '../../../src/contracts/samples.js'
import { draft } from '../../support/pet-drafts.js'

describe('a PostgreSQL server that closes every connection', () => {
  it('receives one connection for each call', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const database = await connectDatabase(`postgresql://kennel@127.0.0.1:${String(port)}/kennel`)
    try {
      const { detail } = await refusalOf(database.statements.read('SELECT 1').get())
      expect(detail).to.match(
        /^(No PostgreSQL server can be reached|The connection to the PostgreSQL server broke)/,
      )
      expect(connections).to.equal(1)
    } finally {
      await database.close()
      server.close()
    }
  })
})

describeWith('postgresql', 'a PostgreSQL database in which a column changes its type', () => {
  it('runs each concurrent call once, replaces the connections, and prepares statements again', async () => {
    const fresh = await freshDatabase()
    const database = await connectDatabase(fresh.url, { poolSize: 2 })
    try {
      await inDatabase(fresh.url, async (client) => {
        await client.query(
          'CREATE SCHEMA kennel; CREATE TABLE kennel.numbers AS SELECT 1 AS number, 0 AS writes',
        )
        const read = database.statements.read('SELECT number FROM {numbers}')
        const write = database.statements.write('UPDATE {numbers} SET writes = writes + 1 RETURNING number')
        const connection = database.statements.read('SELECT pg_backend_pid()')
        const onBoth = <T>(call: () => Promise<T>) => Promise.all([call(), call()])
        const connections = await onBoth(() => connection.get())
        for (const type of ['text', 'int', 'text']) {
          const calls = Array.from({ length: 10 }, () => [read.get(), write.get()]).flat()
          await client.query(`ALTER TABLE kennel.numbers ALTER number TYPE ${type} USING number::${type}`)
          for (const row of await Promise.all(calls)) expect(row?.map(Number)).to.deep.equal([1])
          expect(await onBoth(() => read.get())).to.deep.equal(type === 'int' ? [[1], [1]] : [['1'], ['1']])
        }
        expect((await client.query('SELECT writes FROM kennel.numbers')).rows).to.deep.equal([{ writes: 30 }])
        for (const one of await onBoth(() => connection.get())) expect(connections).to.not.deep.include(one)
        const prepared = database.statements.read('SELECT count(*) FROM pg_prepared_statements')
        expect(await prepared.get()).to.not.deep.equal([0])
      })
    } finally {
      await database.close()
      await fresh.drop()
    }
  })
})

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

describeWith('postgresql', 'a PostgreSQL store after a write for which the disk had no room', () => {
  it('is not ready, although smaller writes succeed, until a row that needs new pages can be written', async () => {
    const database = await freshDatabase()
    const stores = [await openPostgres(database.url), await openPostgres(database.url)] as const
    try {
      await inDatabase(database.adminUrl, async (client) => {
        await client.query(`
          CREATE FUNCTION kennel.fail() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full'; END $$;
          CREATE TRIGGER full_disk BEFORE INSERT ON kennel.pets EXECUTE FUNCTION kennel.fail();
          CREATE TRIGGER full_disk BEFORE INSERT ON kennel.meta EXECUTE FUNCTION kennel.fail()`)
        for (const store of stores) {
          const { detail } = await refusalOf(store.pets.insert(draft('Rex')))
          expect(detail).to.equal('The disk of the PostgreSQL server is full.')
          await store.roles.insert(aRole('keeper'))
        }
        expect((await refusalOf(stores[0].ready())).detail).to.equal(
          'The disk of the PostgreSQL server is full.',
        )
        await client.query('DROP TRIGGER full_disk ON kennel.meta')
        const size = async () => {
          const { rows } = await client.query<{ size: string }>(
            "SELECT pg_total_relation_size('kennel.meta') AS size",
          )
          return Number(rows[0]?.size)
        }
        const before = await size()
        await stores[1].ready()
        expect(await size()).to.be.greaterThan(before + 8_192)
      })
    } finally {
      await Promise.all(stores.map((store) => store.close()))
      await database.drop()
    }
  })
})
