// The reports of the test runs: mocha writes them with the reporter below, and test.js notes in one file which runs
// there were. As a program (`node scripts/test-reports.js`, or with the paths of reports) it counts them: every
// skipped and failed test once more, where the reader of a long run looks for them, and then
// the one line `N passed, N failed`, with `, N skipped` where there are some. Exit status 1 when a test failed or
// was skipped, when a run had none, and when there is no report.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'

/** What people read (mocha's spec reporter) and what machines count (mocha's JSON reporter, in a file). */
export default class SpecAndJson {
  constructor(runner, options) {
    // Not before: tests are counted where nothing is installed, such as after an installation that failed.
    const { reporters } = createRequire(import.meta.url)('mocha')
    new reporters.Spec(runner, options)
    new reporters.JSON(runner, { ...options, reporterOption: { output: process.env.TEST_REPORT } })
  }
}

const FOLDER = join(import.meta.dirname, '..', 'reports')
const NOTED = join(FOLDER, 'runs.json')

export function reportOf(name) {
  return join(FOLDER, `mocha-${name}.json`)
}

/** The runs that were noted: each with its `report` and, where all of it has passed, what that was `passedOn`. */
export function notedRuns() {
  return existsSync(NOTED) ? JSON.parse(readFileSync(NOTED, 'utf8')) : []
}

export function noteRuns(runs) {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(NOTED, JSON.stringify(runs, undefined, 2))
}

/** Takes away what the runs before have left, but for the reports of `kept`. */
export function removeReports(kept) {
  if (!existsSync(FOLDER)) return
  const reports = readdirSync(FOLDER).filter((name) => /^mocha-.*\.json$/.test(name))
  for (const path of reports.map((name) => join(FOLDER, name)))
    if (!kept.some(({ report }) => report === path)) rmSync(path)
}

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

/** Whether all is well. */
function printCount(paths) {
  const { idle, passes, failures, failed, skipped } = countReports(paths)
  for (const test of failed) console.error(`failed: ${test}`)
  for (const title of skipped) console.error(`skipped: ${title}`)
  for (const path of idle) console.error(`no test has passed in ${basename(path)}`)
  const more = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  console.log(`${passes} passed, ${failures} failed${more}`)
  return paths.length > 0 && idle.length + failures + skipped.length === 0
}

if (process.argv[1] === import.meta.filename) {
  const given = process.argv.slice(2)
  const paths = given.length > 0 ? given : notedRuns().map(({ report }) => report)
  process.exitCode = printCount(paths) ? 0 : 1
}
