// The reports of the test runs, for whoever writes and whoever reads them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const project = join(import.meta.dirname, '..')
const NO_RUN = { stats: { passes: 0, failures: 0, pending: 0 }, pending: [], failures: [] }

/** The run of all tests, and the second run of some of them on MongoDB. */
export const REPORT = join(project, 'reports', 'mocha.json')
export const MONGODB_REPORT = join(project, 'reports', 'mocha-mongodb.json')

/** The figures of several reports together; a report that is not there counts as a run of no test. */
export function countReports(paths) {
  const reports = paths.map((path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : NO_RUN))
  const sum = (name) => reports.reduce((total, { stats }) => total + stats[name], 0)
  return {
    idle: paths.filter((_path, index) => reports[index].stats.passes === 0),
    passes: sum('passes'),
    failures: sum('failures'),
    failed: reports.flatMap(({ failures }) =>
      failures.map(({ fullTitle, err }) => `${fullTitle}\n  ${err.stack}`),
    ),
    skipped: reports.flatMap(({ pending }) => pending.map(({ fullTitle }) => fullTitle)),
  }
}
