import { statSync } from 'node:fs'
import { connect } from '../../src/adapters/sqlite/driver.js'
import { setting } from '../../src/adapters/sqlite/schema.js'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { systemDigest } from '../../src/adapters/system/index.js'
import { summaryOf, type Summary } from '../../src/application/record-summary.js'
import { RECORD_KINDS, type CopyableRecords } from '../../src/ports/copyable-records.js'
import { VERSION_1_FILE } from '../support/sqlite-version-1.js'

/** Every tenth session of an old file is active for years; the others have ended. */
const ACTIVE = 10

/** Creates a file of schema version 1 with this many additional accounts, each with a role and a session. */
export async function makeOldFile(path: string, accounts: number): Promise<void> {
  const connection = await connect(path)
  connection.exec(`
    ${VERSION_1_FILE}
    BEGIN;
    CREATE TEMP TABLE numbers AS
      WITH RECURSIVE seq (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM seq WHERE n < ${String(accounts)}) SELECT n FROM seq;
    INSERT INTO accounts SELECT 100 + n, 'user' || n || '@example.org', NULL, 1, NULL, 3 FROM numbers;
    INSERT INTO memberships SELECT 100 + n, 'editor' FROM numbers;
    INSERT INTO sessions
      SELECT 's' || n, 100 + n, 1, 10, iif(n % ${String(ACTIVE)} = 0, 9000000000000, 1000), 1, 'pair s' || n, 'kid', 10,
        'digest s' || n, iif(n % ${String(ACTIVE)} = 0, 9000000000000, 900), NULL, NULL, NULL
      FROM numbers;
    COMMIT;
    PRAGMA wal_checkpoint(TRUNCATE)`)
  connection.close()
}

/** Returns the size of a file and its log in bytes, or 0 if there is no file. */
export function bytesOf(path: string): number {
  const sizes = ['', '-wal'].map(
    (suffix) => statSync(`${path}${suffix}`, { throwIfNoEntry: false })?.size ?? 0,
  )
  return sizes.reduce((sum, size) => sum + size)
}

type FileState = {
  readonly version: number
  readonly tables: string
  readonly damages: readonly unknown[]
}

export async function stateOf(path: string): Promise<FileState> {
  const connection = await connect(path)
  try {
    const sql = connection.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name').all()
    const verdict = setting(connection, 'PRAGMA integrity_check')
    const orphans = connection.prepare('PRAGMA foreign_key_check').all()
    const version = Number(setting(connection, 'PRAGMA user_version'))
    return { version, tables: sql.join('\n'), damages: [...(verdict === 'ok' ? [] : [verdict]), ...orphans] }
  } finally {
    connection.close()
  }
}

/** Upgrades the file's schema; returns the count and digest of the file's records, for each kind. */
export async function contentOf(path: string): Promise<Readonly<Record<string, Summary>>> {
  const store = await openSqlite(path)
  try {
    const all = RECORD_KINDS.map(
      async (kind) =>
        [
          kind,
          await summaryOf(store.copyableRecords as CopyableRecords, kind, systemDigest, () => undefined),
        ] as const,
    )
    return Object.fromEntries(await Promise.all(all))
  } finally {
    await store.close()
  }
}

export async function integrityOf(path: string): Promise<string> {
  const connection = await connect(path)
  const verdict = setting(connection, 'PRAGMA integrity_check')
  connection.close()
  return String(verdict)
}
