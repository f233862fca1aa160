import type { Report } from '../report.js'
import type { Run } from '../run.js'
import { measureScale } from '../scale/measure.js'

const FULL = { pets: 10_000_000, accounts: 1_000_000, sessions: 1_000_000, auditRecords: 1_000_000 }

/** The costs that grow with the size of an SQLite file. */
export async function measureSqliteScale(run: Run): Promise<Report> {
  return await measureScale('scale', FULL, run)
}
