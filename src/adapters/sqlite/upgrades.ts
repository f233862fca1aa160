import { resolve } from 'node:path'
import type { FinishOutcome, Instance } from '../../domain/upgrade.js'
import type { Instant } from '../../domain/instant.js'
import {
  type Upgrades,
  instanceIn,
  instanceText,
  KEPT_FOR,
  type InstanceRecords,
  compareSchema,
  decideContraction,
  type SchemaPlan,
  type SchemaRecord,
} from '../upgrades.js'
import { connect, connectReadOnly, type Connection } from './driver.js'
import { openingError } from './errors.js'
import { findFile } from './file.js'
import { META, PLAN, readMark, versionOf, writeMark } from './schema.js'
import { inTransaction, whileBusy } from './transaction.js'
import type { Database } from './database.js'

const PREFIX = 'instance '

/** Records the instances in the table `meta`. The statements are prepared for each call, because the call runs only once a minute. */
export function createInstances({ prepare, write }: Database): InstanceRecords {
  return {
    put: (id, servedAt) =>
      write(() => {
        const text = instanceText(PLAN.version, servedAt)
        prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(`${PREFIX}${id}`, text)
        prepare("DELETE FROM meta WHERE key LIKE 'instance %' AND json_extract(value, '$.servedAt') < ?").run(
          servedAt - KEPT_FOR,
        )
        versionOf({ prepare })
      }),
    remove: (id) =>
      write(() => {
        prepare('DELETE FROM meta WHERE key = ?').run(`${PREFIX}${id}`)
      }),
  }
}

export function readInstances({ prepare }: Pick<Connection, 'prepare'>): readonly Instance[] {
  const rows = prepare<readonly [key: string, value: string]>(
    "SELECT key, value FROM meta WHERE key LIKE 'instance %' ORDER BY key",
  ).all()
  return rows.map(([key, value]) => instanceIn(key.slice(PREFIX.length), value))
}

const WAIT = { busyTimeout: 20, total: 5_000 }

/** Creates the functions for `upgrade` commands on a database file, which must exist. */
export function sqliteUpgrades(path: string, plan: SchemaPlan<string> = PLAN): Upgrades {
  const file = resolve(path)
  const inFile = async <T>(open: typeof connect, begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: Work<T>) => {
    findFile(file, false)
    try {
      const connection = await open(file)
      try {
        connection.exec(`PRAGMA busy_timeout = ${WAIT.busyTimeout}`)
        return await whileBusy(WAIT, () => inTransaction(connection, begin, () => work(connection)))
      } finally {
        connection.close()
      }
    } catch (error) {
      throw openingError(error)
    }
  }
  return {
    read: () => inFile(connectReadOnly, 'BEGIN', (connection) => compareSchema(readRecord(connection), plan)),
    finish: (now) => inFile(connect, 'BEGIN IMMEDIATE', (connection) => contract(connection, plan, now)),
  }
}

type Work<T> = (connection: Connection) => T

function readRecord(connection: Connection): SchemaRecord {
  const version = versionOf(connection)
  const mark = version === 0 ? undefined : readMark(connection, version)
  return { mark, instances: version < META ? [] : readInstances(connection) }
}

/** Waits for a concurrent caller, because SQLite has one writer at a time. */
function contract(connection: Connection, plan: SchemaPlan<string>, now: Instant): FinishOutcome {
  const contraction = decideContraction(readRecord(connection), plan, now)
  if (contraction.kind !== 'due') return contraction
  for (const step of contraction.steps) connection.exec(step)
  writeMark(connection, contraction.mark)
  return { kind: 'finished' }
}
