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
import { describeWith, toolPath } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reservedPort } from '../support/reserved-port.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { guard, own, startProgram } from '../support/postgresql/unprivileged.js'

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

type Bouncer = {
  readonly url: string
  /** Sends SIGKILL, and starts pgbouncer again. */
  readonly restart: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** Whether pgbouncer assigns a server connection to each transaction or to each client connection. */
export type PoolMode = 'transaction' | 'session'

/** Starts pgbouncer in front of the database at this address. In transaction mode, pgbouncer has one connection to the server. */
async function startBouncer(databaseUrl: string, mode: PoolMode = 'transaction'): Promise<Bouncer> {
  const { path: folder } = makeTemporaryFolder()
  own(folder)
  const port = String(await reservedPort())
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, configurationOf(new URL(databaseUrl), folder, port, mode))
  const program = toolPath('pgbouncer')
  const start = () => startProgram(program, [file], /process up/)
  const remove = guard('kill -KILL "$(cat "$1/pid")"', program, folder)
  let child = await start()
  return {
    url: Object.assign(new URL(databaseUrl), { port }).href,
    restart: async () => {
      child.kill('SIGKILL')
      await once(child, 'close')
      child = await start()
    },
    remove,
  }
}

function configurationOf(
  { hostname, port, username, pathname }: URL,
  folder: string,
  ownPort: string,
  mode: PoolMode,
): string {
  return `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
pidfile = ${folder}/pid
auth_type = any
pool_mode = ${mode}
default_pool_size = ${mode === 'transaction' ? '1' : '10'}
`
}
