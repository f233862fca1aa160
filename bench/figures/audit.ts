import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { connect } from '../../src/adapters/sqlite/driver.js'
import { systemRandomness } from '../../src/adapters/system/index.js'
import { createTimeOrderedIds } from '../../src/domain/time-ordered-ids.js'
import type { AuditRecord } from '../../src/domain/audit.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import type { Store } from '../../src/ports/store.js'
import { median, ratio, type Contestant } from '../alternate.js'
import type { Load } from '../load/load.js'
import { runJob, type ServerProcess } from '../workplace/processes.js'
import { atLeast, atMost, thousands, type Claim, type Report, type Row } from '../report.js'
import type { Run } from '../run.js'
import { hashOfPassword, loginRecord, loginRequest } from '../workplace/logins.js'
import { emailOf, seedAccounts } from '../workplace/seed.js'
import { APP, startService } from '../workplace/service.js'
import type { Traffic } from '../load/traffic.js'
import { inWorkplace, type Workplace } from '../workplace/workplace.js'

const ACCOUNTS = 32
const TOGETHER = 2_000
const WINDOW = { count: 10, window: 900_000 }

type Measured = { readonly rows: readonly Row[]; readonly claims: readonly Claim[] }

/** The cost of auditing a login, the cost of a record compared with a bare row, and the speed of a search. */
export async function measureAudit(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const hash = await hashOfPassword()
    await place.withStore(async (store) => await seedAccounts(store, ACCOUNTS, hash))
    const logins = await measureLogins(place, run)
    const calls = await place.withStore(async (store) => await measureCalls(place, store, run))
    const list = await measureList(place, run)
    return {
      setting:
        'Logins with two clients on two services that share a store, of which one keeps no audit record; the calls one after the other.',
      columns: [{ name: 'each, ms' }],
      rows: [logins, calls, list].flatMap(({ rows }) => rows),
      claims: [logins, calls, list].flatMap(({ claims }) => claims),
    }
  })
}

/** Two services on one store, with and without audit records. */
async function measureLogins(place: Workplace, run: Run): Promise<Measured> {
  const start = (AUDIT: string) => startService({ ...place, env: { ...place.env, AUDIT } }, 'anywhere')
  const services = await Promise.all(['store', 'off'].map(start))
  const logIn = ({ address }: ServerProcess): Promise<Traffic> => {
    const load: Load = { address, connections: 2, requests: loginRequests(), amount: run.quick ? 8 : 32 }
    return runJob('load/load', 'load', load)
  }
  const contestants = ['audited login', 'login without audit'].map((name, index) => ({
    name,
    round: () => logIn(services[index] as ServerProcess),
  }))
  const [on, off] = await run.alternate<Traffic>(contestants, { usual: 5, quick: 1 })
  for (const service of services) await service.stop()
  if (!on || !off) throw new Error('two were measured')
  return {
    rows: [on, off].map(({ name, rounds }) => ({ name, values: [median(rounds.map(({ p50 }) => p50))] })),
    claims: [
      atLeast(
        'audited logins per login without audit',
        0.95,
        ratio(on, off, ({ perSecond }) => perSecond),
      ),
    ],
  }
}

function loginRequests() {
  return Array.from({ length: ACCOUNTS }, (_, index) => loginRequest(emailOf(index)))
}

async function measureCalls(place: Workplace, store: Store, run: Run): Promise<Measured> {
  const bare = await bareInsert(join(place.folder, 'bare.db'))
  const calls = run.quick ? 200 : 2_000
  const makeRecord = recordMaker()
  const [append, insert, limiter] = await run.alternate(
    [
      timed('append a record', calls, (index) => store.audit.append(makeRecord(Date.now(), index))),
      timed('bare durable insert', calls, (index) => bare.insert(makeRecord(Date.now(), index))),
      timed('take an attempt and refund it', calls, async (index) => {
        const outcome = await store.attempts.take(
          [`account ${index}`, 'address'].map((name) => ({ name, limit: WINDOW })),
          Date.now(),
        )
        if (outcome.kind === 'taken') await store.attempts.refund(outcome.attempt)
      }),
    ],
    { usual: 9, quick: 3 },
  )
  bare.close()
  if (!append || !insert || !limiter) throw new Error('three were measured')
  return {
    rows: [append, insert, limiter].map(({ name, rounds }) => ({ name, values: [median(rounds)] })),
    claims: [
      atLeast(
        'records per bare durable insert',
        0.8,
        ratio(insert, append, (milliseconds) => milliseconds),
      ),
      atMost('the limiter adds to a login', 0.1, median(limiter.rounds), { unit: 'ms', digits: 2 }),
    ],
  }
}

function timed(name: string, calls: number, work: (index: number) => Promise<unknown>): Contestant<number> {
  return {
    name,
    round: async () => {
      const begun = performance.now()
      for (let index = 0; index < calls; index += 1) await work(index)
      return (performance.now() - begun) / calls
    },
  }
}

/** The same row in a separate table, without an index, one commit each. */
async function bareInsert(path: string) {
  const connection = await connect(path)
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  connection.exec(
    'CREATE TABLE records (id TEXT, at INTEGER, event TEXT, actor TEXT, subject TEXT, outcome TEXT)',
  )
  const insert = connection.prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)')
  return {
    insert: async ({ id, at, event, actor, subject, outcome }: AuditRecord) => {
      // A write of the store waits for the next turn of the event loop, so that others can join it.
      await new Promise((resolve) => setImmediate(resolve))
      insert.run(id, at, event, actor, subject ?? null, outcome)
    },
    close: () => connection.close(),
  }
}

function recordMaker(): (at: number, index: number) => AuditRecord {
  const ids = createTimeOrderedIds({ randomness: systemRandomness })
  return (at, index) => loginRecord(ids(at), at, (1 + (index % ACCOUNTS)) as AccountId)
}

/** From the start of the command to the first byte of its output. */
async function measureList(place: Workplace, run: Run): Promise<Measured> {
  const total = run.quick ? 20_000 : 1_000_000
  await place.withStore(async (store) => await seedRecords(store, total))
  const list = ['audit', 'list', '--user', emailOf(7), '--json']
  const [first, empty] = await run.alternate<number>(
    [
      {
        name: `audit list --user, of ${thousands(total)} records: first line`,
        round: () => firstByte([APP, ...list], place.env),
      },
      { name: 'empty Node process: first line', round: () => firstByte(['-e', 'console.log(0)'], place.env) },
    ],
    { usual: 11, quick: 3 },
  )
  if (!first || !empty) throw new Error('two were measured')
  return {
    rows: [first, empty].map(({ name, rounds }) => ({ name, values: [median(rounds)] })),
    claims: [atMost('first line of audit list --user', 300, median(first.rounds), { unit: 'ms', digits: 0 })],
  }
}

async function seedRecords(store: Store, total: number): Promise<void> {
  const makeRecord = recordMaker()
  for (let done = 0; done < total; done += TOGETHER) {
    const records = Array.from({ length: TOGETHER }, (_, index) =>
      makeRecord(Date.UTC(2025, 0, 1) + done, index),
    )
    await store.copyableRecords?.put('auditRecord', records)
  }
}

async function firstByte(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const begun = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const time = performance.now() - begun
  child.stdout.resume()
  await once(child, 'close')
  return time
}
