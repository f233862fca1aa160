import { resolve } from 'node:path'
import type { FinishOutcome } from '../../domain/upgrade.js'
import type { Instant } from '../../domain/instant.js'
import type { Upgrades } from '../instances.js'
import { compareSchema, decideContraction, type SchemaPlan, type SchemaRecord } from '../schema-mark.js'
import { connect, connectReadOnly, type Connection } from './driver.js'
import { openingError } from './errors.js'
import { findFile } from './file.js'
import { readInstances } from './instances.js'
import { META, PLAN, readMark, versionOf, writeMark } from './schema.js'
import { inTransaction, stepsOf, whileBusy } from './transaction.js'

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
        return await whileBusy(WAIT, () => inTransaction(stepsOf(connection, begin), () => work(connection)))
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
