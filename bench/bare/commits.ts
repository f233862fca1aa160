import { connect } from '../../src/adapters/sqlite/driver.js'
import { readJob } from '../workplace/processes.js'
import { createStopwatch } from '../load/traffic.js'

export type Commits = { readonly path: string; readonly seconds: number }

/** The baseline for refresh: only commits durable updates of one row, one after another. */
const ROWS = 1000
const { path, seconds } = await readJob<Commits>()
const connection = await connect(path)
connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
connection.exec('CREATE TABLE IF NOT EXISTS counters (id INTEGER PRIMARY KEY, count INTEGER NOT NULL)')
connection.exec(`
  WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${ROWS})
  INSERT OR IGNORE INTO counters SELECT n, 0 FROM number`)
const begin = connection.prepare('BEGIN IMMEDIATE')
const update = connection.prepare('UPDATE counters SET count = count + 1 WHERE id = ?')
const commit = connection.prepare('COMMIT')
const stopwatch = createStopwatch()
const until = performance.now() + seconds * 1000

for (let count = 0; performance.now() < until; count += 1) {
  const at = performance.now()
  begin.run()
  update.run(1 + (count % ROWS))
  commit.run()
  stopwatch.record(performance.now() - at)
}
connection.close()
console.log(JSON.stringify(stopwatch.read()))
