import { join } from 'node:path'
import { connect } from '../../../src/adapters/sqlite/driver.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { integrityOf } from '../../durability/integrity.js'
import type { CrashDatabase } from './database.js'

const SCHEMA = 'SELECT type, name, sql FROM sqlite_schema ORDER BY type, name'

/** One file, made with its schema. */
export async function makeSqliteFile(folder: string): Promise<CrashDatabase> {
  const path = join(folder, 'app.db')
  await (await openSqlite(path)).close()
  const schema = await schemaOf(path)
  return {
    url: `sqlite:${path}`,
    kills: {},
    open: () => openSqlite(path),
    damages: async () => {
      const integrity = await integrityOf(path)
      const [now, free] = [await schemaOf(path), await isFree(path)]
      return [
        ...(integrity === 'ok' ? [] : [`PRAGMA integrity_check: ${integrity}`]),
        ...(now === schema ? [] : [`another schema: ${now}`]),
        ...(free ? [] : ['a lock is left']),
      ]
    },
    close: async () => undefined,
  }
}

async function schemaOf(path: string): Promise<string> {
  const connection = await connect(path)
  const rows = connection.prepare(SCHEMA).all()
  connection.close()
  return JSON.stringify(rows)
}

/** Whether a writer gets its turn. */
async function isFree(path: string): Promise<boolean> {
  const connection = await connect(path)
  try {
    connection.exec('PRAGMA busy_timeout = 20000; BEGIN IMMEDIATE; ROLLBACK')
    return true
  } catch {
    return false
  } finally {
    connection.close()
  }
}
