import { open } from 'node:fs/promises'
import { connect } from '../../src/adapters/sqlite/driver.js'
import { createRecordWrites } from '../../src/adapters/sqlite/copyable-records.js'
import { inTransaction } from '../../src/adapters/sqlite/transaction.js'
import { systemRandomness } from '../../src/adapters/system/index.js'
import type { RecordKind, RecordOf, CopyableRecords } from '../../src/ports/copyable-records.js'
import { accountOf, auditRecordMaker, petOf, ROLE, sessionOf, type Population } from './population.js'

/** Inserts records of one kind into a store. */
export type Put = CopyableRecords['put']

const TOGETHER = 10_000
/** 1 GiB, because records with random keys are written to all parts of the indexes. */
const CACHE_KIBIBYTES = 1_048_576
/** The maximum size of the database log: 400 MiB. */
const CHECKPOINT_PAGES = 100_000

/** Inserts a whole population into a store; referenced records come first. */
export async function fillPopulation(put: Put, population: Population): Promise<void> {
  const { pets, accounts, sessions, auditRecords } = population.size
  await put('role', [{ key: ROLE, uuid: systemRandomness.uuid(), label: 'Editor' }])
  await putAll(put, 'account', accounts, (index) => accountOf(population, index))
  await putAll(put, 'session', sessions, (index) => sessionOf(population, index))
  await putAll(put, 'pet', pets, petOf)
  await putAll(put, 'auditRecord', auditRecords, auditRecordMaker(population))
  await put('counter', [
    { name: 'accounts', last: accounts },
    { name: 'pets', last: pets },
  ])
}

async function putAll<Kind extends RecordKind>(
  put: Put,
  kind: Kind,
  count: number,
  make: (index: number) => RecordOf[Kind],
): Promise<void> {
  for (let done = 0; done < count; done += TOGETHER) {
    const length = Math.min(TOGETHER, count - done)
    const records = Array.from({ length }, (_, index) => make(done + index))
    if ((await put(kind, records)) === 'contradicted') throw new Error(`the store rejected a ${kind} record`)
  }
}

/**
 * Runs the store's own statements on a connection that does not wait for the disk and has enough memory for whole indexes; this takes a
 * fraction of the time that the store needs to guarantee durability. The schema of the file must exist.
 */
export async function withFastPut(path: string, work: (put: Put) => Promise<void>): Promise<void> {
  const connection = await connect(path)
  connection.exec(`
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -${CACHE_KIBIBYTES};
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`)
  const writes = createRecordWrites((sql) => connection.prepare(sql))
  await work(async (kind, records) => {
    inTransaction(connection, 'BEGIN', () => {
      const { put } = writes[kind]
      for (const record of records) put(record)
    })
    return await Promise.resolve('put')
  })
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  await onDisk(path)
}

/** Flushes the file to the disk, so that the next measurement does not wait for the disk. */
async function onDisk(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
}
