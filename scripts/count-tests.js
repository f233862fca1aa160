// Reads the reports of mocha (the arguments, else those of the last `npm test`) and ends with the one line
// `N passed, N failed`, with `, N skipped` where there are some; before it, every failed test once more,
// where a reader sees them at the end of a long run. Exit status 1 when a test failed, when a test
// was skipped, when a run had none, and when there is no report.
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { countReports } from './reports.js'
import { LAST_RUNS, USUAL_RUNS } from './runs.js'

function reportsOfLastRun() {
  return existsSync(LAST_RUNS) ? JSON.parse(readFileSync(LAST_RUNS, 'utf8')) : [USUAL_RUNS[0].report]
}

const given = process.argv.slice(2)
const { idle, passes, failures, failed, skipped } = countReports(
  given.length > 0 ? given : reportsOfLastRun(),
)
for (const test of failed) console.error(`failed: ${test}`)
for (const title of skipped) console.error(`skipped: ${title}`)
for (const path of idle) console.error(`no test has passed in ${basename(path)}`)

const more = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
console.log(`${passes} passed, ${failures} failed${more}`)
process.exitCode = idle.length === 0 && failures === 0 && skipped.length === 0 ? 0 : 1
