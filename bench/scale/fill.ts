import { open } from 'node:fs/promises'
import { connect } from '../../src/adapters/sqlite/driver.js'
import { createRecordTables } from '../../src/adapters/sqlite/copyable-records.js'
import { inTransaction, stepsOf } from '../../src/adapters/sqlite/transaction.js'
import { systemRandomness } from '../../src/adapters/system/index.js'
import type { RecordKind, RecordOf, CopyableRecords } from '../../src/ports/copyable-records.js'
import type { Store } from '../../src/ports/store.js'
import {
  accountOf,
  auditRecordMaker,
  endedSessionOf,
  petOf,
  ROLE,
  sessionOf,
  type Population,
} from './population.js'

/** Puts records of a kind into a store. */
export type Put = CopyableRecords['put']

/** The number of records so far, and in total. */
export type OnProgress = (done: number, all: number) => void

const TOGETHER = 10_000
/** 1 GiB: records with random keys are written all over the indexes. */
const CACHE_KIBIBYTES = 1_048_576
/** 400 MiB of log. */
const CHECKPOINT_PAGES = 100_000

/** Puts a whole population into a store, referenced records first. */
export async function fillPopulation(
  put: Put,
  population: Population,
  onProgress: OnProgress = () => undefined,
): Promise<void> {
  const { pets, accounts, sessions, auditRecords } = population.size
  const all = pets + accounts + sessions + auditRecords
  let done = 0
  const fill = async <Kind extends RecordKind>(
    kind: Kind,
    count: number,
    make: (index: number) => RecordOf[Kind],
  ) => {
    for await (const added of putAll(put, kind, { first: 0, count, make })) onProgress((done += added), all)
  }
  await put('role', [{ key: ROLE, uuid: systemRandomness.uuid(), label: 'Editor' }])
  await fill('account', accounts, (index) => accountOf(population, index))
  await fill('session', sessions, (index) => sessionOf(population, index))
  await fill('pet', pets, petOf)
  await fill('auditRecord', auditRecords, auditRecordMaker(population))
  await put('counter', [
    { name: 'accounts', last: accounts },
    { name: 'pets', last: pets },
  ])
}

/** Adds this many ended sessions to a store that has a population. */
export async function fillEnded(put: Put, population: Population, count: number): Promise<void> {
  const make = (index: number) => endedSessionOf(population, index)
  const range = { first: population.size.sessions, count, make }
  for await (const _ of putAll(put, 'session', range));
}

type Range<Kind extends RecordKind> = {
  readonly first: number
  readonly count: number
  readonly make: (index: number) => RecordOf[Kind]
}

/** Yields the number of records that each call has put. */
export async function* putAll<Kind extends RecordKind>(
  put: Put,
  kind: Kind,
  { first, count, make }: Range<Kind>,
): AsyncGenerator<number> {
  for (let done = 0; done < count; done += TOGETHER) {
    const length = Math.min(TOGETHER, count - done)
    const records = Array.from({ length }, (_, index) => make(first + done + index))
    if ((await put(kind, records)) === 'contradicted') throw new Error(`the store refuses a ${kind}`)
    yield length
  }
}

/** The store's own bulk interface, for MongoDB, because its server does the work anyway. */
export function putOf(store: Store): Put {
  const { copyableRecords } = store
  if (!copyableRecords) throw new Error('this store keeps nothing')
  return (kind, many) => copyableRecords.put(kind, many)
}

/**
 * Runs the store's own statements on a connection that does not wait for the disk and has room for whole indexes: this
 * takes a fraction of the time of the store, which guarantees durability. The file must have its schema.
 */
export async function withFastPut(path: string, work: (put: Put) => Promise<void>): Promise<void> {
  const connection = await connect(path)
  connection.exec(`
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -${CACHE_KIBIBYTES};
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`)
  const tables = createRecordTables((sql) => connection.prepare(sql))
  const steps = stepsOf(connection, 'BEGIN')
  await work(async (kind, records) => {
    inTransaction(steps, () => {
      const table = tables(kind)
      for (const record of records) table.put(record)
    })
    return await Promise.resolve('put')
  })
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  await onDisk(path)
}

/** Flushes the file, so that the next measurement does not wait for it. */
async function onDisk(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
}
