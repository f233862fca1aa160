// The reports of the test runs.
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

const NO_RUN = { stats: { passes: 0, failures: 0, pending: 0 }, pending: [], failures: [] }

/** The figures of several reports together; a report that is not there counts as a run of no test. */
export function countReports(paths) {
  const reports = paths.map((path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : NO_RUN))
  const sum = (name) => reports.reduce((total, { stats }) => total + stats[name], 0)
  const failedIn = ({ failures }, path) =>
    failures.map(({ fullTitle, err }) => `${fullTitle} (${basename(path)})\n  ${err.stack}`)
  return {
    idle: paths.filter((_path, index) => reports[index].stats.passes === 0),
    passes: sum('passes'),
    failures: sum('failures'),
    failed: reports.flatMap((report, index) => failedIn(report, paths[index])),
    skipped: reports.flatMap(({ pending }) => pending.map(({ fullTitle }) => fullTitle)),
  }
}
