import { expect } from 'chai'
import { existsSync, readFileSync } from 'node:fs'
import { MongoClient, type Collection, type Document } from 'mongodb'
import { instancesOf, type InstanceRecords, type Upgrades } from '../../src/adapters/upgrades.js'
import { PLAN as MONGODB } from '../../src/adapters/mongodb/schema.js'
import { mongoUpgrades } from '../../src/adapters/mongodb/upgrades.js'
import { PLAN as POSTGRESQL } from '../../src/adapters/postgresql/schema.js'
import { openPostgres } from '../../src/adapters/postgresql/store.js'
import { postgresUpgrades } from '../../src/adapters/postgresql/upgrades.js'
import { connect } from '../../src/adapters/sqlite/driver.js'
import { MIGRATIONS, PLAN as SQLITE } from '../../src/adapters/sqlite/schema.js'
import { openMongo } from '../../src/adapters/mongodb/store.js'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { sqliteUpgrades } from '../../src/adapters/sqlite/upgrades.js'
import { VERSION } from '../../src/domain/version.js'
import type { Store } from '../../src/ports/store.js'
import * as mongodb from '../support/mongodb/server.js'
import * as postgresql from '../support/postgresql/server.js'
import { refusalOf } from '../support/refusal-of.js'
import { describeWith } from '../support/required-tools.js'
import { makeTemporaryFolder, suiteFolder } from '../support/temporary-folder.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const NOW = 100 * DAY

/** A new store, with the upgrades of this release and of a release that has one more contract step. */
type Arranged = {
  readonly version: number
  readonly open: () => Promise<Store>
  readonly upgrades: Upgrades
  /** The contract step fails when it runs a second time. */
  readonly contracting: Upgrades
  /** Records an instance that has the previous schema version. */
  readonly addOlder: (id: string, servedAt: number) => Promise<unknown>
  /** Changes the mark as a newer release does after it removed something that this release needs. */
  readonly outdate: () => Promise<unknown>
  readonly drop: () => unknown
}

const next = <Step>(version: number, step: Step) => [{ usableFrom: version, step }]
const older = (version: number, servedAt: number) => ({ release: '0.0.1', schema: version - 1, servedAt })

const newer = (version: number) => ({
  ...{ version: version + 1, readableFrom: version + 1, writableFrom: version + 1, release: '9.1.0' },
})
type NamedDocument = { _id: string }

async function inSqlite(): Promise<Arranged> {
  const { path, remove } = makeTemporaryFolder()
  const file = `${path}/app.db`
  const executed = async (sql: string) => {
    const connection = await connect(file)
    connection.exec(sql)
    connection.close()
  }
  const contractSteps = next(SQLITE.version, 'DROP INDEX projects_by_creator')
  return await Promise.resolve({
    version: SQLITE.version,
    open: () => openSqlite(file),
    upgrades: sqliteUpgrades(file),
    contracting: sqliteUpgrades(file, { ...SQLITE, contractSteps }),
    addOlder: (id, at) =>
      executed(`INSERT INTO meta VALUES ('instance ${id}', '${JSON.stringify(older(SQLITE.version, at))}')`),
    outdate: () =>
      executed(
        `PRAGMA user_version = ${newer(SQLITE.version).version};
         UPDATE meta SET value = '${JSON.stringify(newer(SQLITE.version))}' WHERE key = 'schema'`,
      ),
    drop: remove,
  })
}

async function inMongo(): Promise<Arranged> {
  const database = mongodb.freshDatabase()
  const { url } = database
  const inCollection = async (
    name: string,
    work: (collection: Collection<NamedDocument>) => Promise<unknown>,
  ) => {
    const client = new MongoClient(url)
    await work(client.db().collection(name))
    await client.close()
  }
  const contractSteps = next(MONGODB.version, async ({ projects }: { readonly projects: Document }) => {
    await (projects as { dropIndex(name: string): Promise<unknown> }).dropIndex('createdBy_1__id_1')
  })
  return await Promise.resolve({
    version: MONGODB.version,
    open: () => openMongo(url),
    upgrades: mongoUpgrades(url),
    contracting: mongoUpgrades(url, { ...MONGODB, contractSteps }),
    addOlder: (id, at) =>
      inCollection('instances', (instances) =>
        instances.insertOne({ _id: id, ...older(MONGODB.version, at) }),
      ),
    outdate: () =>
      inCollection('meta', async (meta) => {
        const { version: value, ...mark } = newer(MONGODB.version)
        await meta.updateOne({ _id: 'schema' }, { $set: { value, ...mark } })
      }),
    drop: () => database.drop(),
  })
}

async function inPostgres(): Promise<Arranged> {
  const { url, drop } = await postgresql.freshDatabase()
  const contractSteps = next(POSTGRESQL.version, 'DROP INDEX {projects_by_creator}')
  return {
    version: POSTGRESQL.version,
    open: () => openPostgres(url),
    upgrades: postgresUpgrades(url, {}),
    contracting: postgresUpgrades(url, {}, { ...POSTGRESQL, contractSteps }),
    addOlder: (id, at) =>
      postgresql.inDatabase(url, (client) =>
        client.query('INSERT INTO kennel.meta VALUES ($1, $2)', [
          ...[`instance ${id}`, JSON.stringify(older(POSTGRESQL.version, at))],
        ]),
      ),
    outdate: () =>
      postgresql.inDatabase(url, (client) =>
        client.query("UPDATE kennel.meta SET value = $1 WHERE key = 'schema'", [
          JSON.stringify(newer(POSTGRESQL.version)),
        ]),
      ),
    drop,
  }
}

function testUpgrades(arrange: () => Promise<Arranged>): void {
  let arranged: Arranged
  let store: Store
  beforeEach(async () => {
    arranged = await arrange()
    store = await arranged.open()
  })
  afterEach(async () => {
    await store.close()
    await arranged.drop()
  })
  const records = () => instancesOf(store) as InstanceRecords
  const idsOf = async () => (await arranged.upgrades.read()).instances.map(({ id }) => id)

  it('reads the schema and the recorded instances', async () => {
    await records().put('web', NOW)
    const { release, version, current, isFinished, instances } = await arranged.upgrades.read()
    expect([release, version, current, isFinished]).to.deep.equal([
      VERSION,
      arranged.version,
      arranged.version,
      true,
    ])
    expect(instances).to.deep.equal([
      { id: 'web', release: VERSION, schema: arranged.version, servedAt: NOW },
    ])
  })

  it('renews and removes the record of an instance, and forgets old records', async () => {
    await records().put('crashed', NOW)
    await records().put('ended', NOW)
    await records().put('renewed', NOW)
    await records().put('renewed', NOW + DAY)
    await records().remove('ended')
    expect(await idsOf()).to.deep.equal(['crashed', 'renewed'])
    await records().put('renewed', NOW + DAY + 1)
    expect(await idsOf()).to.deep.equal(['renewed'])
  })

  it('does not finish while an older instance is running', async () => {
    await arranged.addOlder('old', NOW - 4 * MINUTE)
    expect((await arranged.contracting.read()).isFinished).to.equal(false)
    const refused = await arranged.contracting.finish(NOW)
    expect(refused.kind === 'refused' && refused.reason).to.contain('stop old of release 0.0.1')
    expect((await arranged.contracting.read()).isFinished).to.equal(false)
    await (await arranged.open()).close()
  })

  it('finishes once, even if several callers finish concurrently', async () => {
    await arranged.addOlder('old', NOW - 5 * MINUTE)
    const callers = [1, 2, 3].map(() => arranged.contracting.finish(NOW))
    const kinds = (await Promise.all(callers)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'finished')).to.deep.equal(['finished'])
    for (const kind of kinds) expect(kind).to.be.oneOf(['finished', 'unchanged', 'under-way'])
  })

  it('remembers that it has finished', async () => {
    await arranged.contracting.finish(NOW)
    expect((await arranged.contracting.read()).isFinished).to.equal(true)
    expect(await arranged.contracting.finish(NOW)).to.deep.equal({ kind: 'unchanged' })
    await (await arranged.open()).close()
    expect((await arranged.contracting.read()).isFinished).to.equal(true)
  })

  it('refuses an instance that registers after the schema became incompatible', async () => {
    await arranged.outdate()
    expect((await refusalOf(records().put('late', NOW))).code).to.equal('incompatible-store')
  })
}

describe('the upgrades of a SQLite file', () => {
  const inFolder = suiteFolder()
  testUpgrades(inSqlite)

  const atVersion = async (version: number) => {
    const path = inFolder(`${version}.db`)
    const connection = await connect(path)
    const marks = `PRAGMA journal_mode = WAL; PRAGMA application_id = 1263423052; PRAGMA user_version = ${version}`
    for (const statement of [...MIGRATIONS.slice(0, version), marks]) connection.exec(statement)
    connection.close()
    return path
  }

  it('can be read without changing the file', async () => {
    const path = await atVersion(21)
    const before = readFileSync(path)
    const hadLog = existsSync(`${path}-wal`)
    const { version, release, instances } = await sqliteUpgrades(path).read()
    expect([version, release, instances]).to.deep.equal([21, undefined, []])
    expect(readFileSync(path).equals(before)).to.equal(true)
    expect(existsSync(`${path}-wal`)).to.equal(hadLog)
  })

  it('are never run by a command', async () => {
    const path = await atVersion(20)
    const refusal = await refusalOf(openSqlite(path, { upgrade: false }))
    expect([refusal.code, (await sqliteUpgrades(path).read()).version]).to.deep.equal([
      'incompatible-store',
      20,
    ])
    await (await openSqlite(path)).close()
    await (await openSqlite(path, { upgrade: false })).close()
  })

  it('are reported as missing if there is no file', async () => {
    expect((await refusalOf(sqliteUpgrades(inFolder('none.db')).read())).code).to.equal('not-found')
  })
})

describeWith('mongodb', 'upgrades of a MongoDB database', () => testUpgrades(inMongo))
describeWith('postgresql', 'upgrades of a PostgreSQL schema', () => testUpgrades(inPostgres))
