// Counts the results of test runs. As a program (`node scripts/test-reports.js`, optionally with the paths of reports) it names every
// skipped and failed test, and ends with the line `N passed, N failed[, N skipped]`. The exit status is 1 if a test failed or was skipped,
// a run had no test, or there is no report.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { jsonOf, PROJECT, textOf } from './files.js'

/** Prints mocha's dots and failures for people, and writes its JSON report to a file for the count. */
export default class DotsAndJson {
  constructor(runner, options) {
    // Imported late, because the count of tests must also work if the installation failed.
    const { reporters } = createRequire(import.meta.url)('mocha')
    const Shown = process.env.TEST_REPORTER === 'spec' ? reporters.Spec : reporters.Dot
    new Shown(runner, options)
    new reporters.JSON(runner, { ...options, reporterOption: { output: process.env.TEST_REPORT } })
  }
}

const FOLDER = join(PROJECT, 'reports')
const NOTED = join(FOLDER, 'reports.json')

export const reportOf = (name) => join(FOLDER, `mocha-${name}.json`)
const timesOf = (report) => `${report}.times`

/** Stores the list of expected reports before the runs write them. */
export function noteReports(paths) {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(NOTED, JSON.stringify(paths, undefined, 2))
}

/** A run without a report counts as failed. */
export function removeReport(report) {
  mkdirSync(FOLDER, { recursive: true })
  for (const path of [report, timesOf(report)]) rmSync(path, { force: true })
}

/** How long each test file of a run took, in seconds, including its hooks. */
export function fileTimes(report) {
  if (!existsSync(timesOf(report))) return []
  const lines = textOf(timesOf(report)).replaceAll('\\', '/')
  return Array.from(lines.matchAll(/^(\S+) .*dist\/test\/(.*)\.test\.js$/gm), ([, seconds, file]) => ({
    file,
    seconds: Number(seconds),
  }))
}

const NO_RUN = { stats: { passes: 0, failures: 0, duration: 0 }, pending: [], failures: [] }

export function countReports(paths) {
  const reports = paths.map((path) => (existsSync(path) ? jsonOf(path) : NO_RUN))
  const sum = (name) => reports.reduce((total, { stats }) => total + stats[name], 0)
  const failedIn = ({ failures }, path) =>
    failures.map(({ fullTitle, err }) => `${fullTitle} (${basename(path)})\n  ${err.stack}`)
  return {
    idle: paths.filter((_path, index) => reports[index].stats.passes === 0),
    passes: sum('passes'),
    failures: sum('failures'),
    seconds: sum('duration') / 1000,
    failed: reports.flatMap((report, index) => failedIn(report, paths[index])),
    skipped: reports.flatMap(({ pending }) => pending.map(({ fullTitle }) => fullTitle)),
  }
}

/** Prints the counts and returns whether every run passed completely. */
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
  const noted = existsSync(NOTED) ? jsonOf(NOTED) : []
  process.exitCode = printCount(process.argv.length > 2 ? process.argv.slice(2) : noted) ? 0 : 1
}
